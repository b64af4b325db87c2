import { noContent, notFound, ok, unprocessable, type Area, type Exchange, type Route } from '../../route.ts';
import type { TokenRecord, TokenResource, Tokens } from '../../tokens.ts';
import { inBothForms, type Form } from '../forms.ts';
import { readLevel } from './permissions.ts';
import { readGrant, typeIn, type ResourceStores } from './resources.ts';
import { accessTo } from './token-access.ts';

const DAY_MS = 86_400_000;
const LONGEST_MS = 5 * 365 * DAY_MS;
/** How long a token works after it was replaced by a new one. */
const GRACE_MS = DAY_MS / 2;

/** API tokens: those made here work like those of `createToken`. `lifetimeMs` is that of tokens without `expires_at`. */
export function createTokens(tokens: Tokens, stores: ResourceStores, lifetimeMs: number): Area {
  const found = ({ params, token, now }: Exchange): TokenRecord => {
    const one = tokens.list(token.accountId, now).find(({ id }) => id === Number(params.id));
    if (one === undefined) throw notFound();
    return one;
  };
  const expiry = (given: unknown, now: number): number | null => {
    if (given === null) return null;
    if (given === undefined) return lifetimeMs === Infinity ? null : now + lifetimeMs;
    const at = typeof given === 'string' ? Date.parse(given) : NaN;
    if (!(at > now && at <= now + LONGEST_MS)) throw unprocessable({ expires_at: ['is invalid'] });
    return at;
  };
  const granted = (given: unknown, { token }: Exchange, form: Form): TokenResource[] => {
    if (!Array.isArray(given)) throw unprocessable({ base: ['Permissions are invalid'] });
    return (given as readonly unknown[]).map((one) => {
      const grant = readGrant(one, stores, token, form);
      const level = readLevel((Object(one) as Record<string, unknown>).access_level);
      if (grant === undefined || level === undefined) {
        throw unprocessable({ base: ['Permissions are invalid'] });
      }
      return { ...grant, access_level: level };
    });
  };

  const routes = (
    tail: string,
    method: Route['method'],
    handler: (exchange: Exchange, form: Form) => ReturnType<Route['handler']>,
  ) =>
    inBothForms(`/api_tokens${tail}`, (form) => ({
      method,
      permission: ['account', method === 'GET' ? 'viewer' : 'admin'],
      handler: (exchange) => handler(exchange, form),
    }));

  return {
    routes: [
      ...routes('', 'GET', ({ token, now }, form) =>
        ok(tokens.list(token.accountId, now).map((one) => tokenView(one, form))),
      ),
      ...routes('', 'POST', (exchange, form) => {
        const { name, resources = [], expires_at } = exchange.body();
        // As recorded: an error in the name is reported under `base`, too.
        if (typeof name !== 'string' || name.trim() === '') {
          throw unprocessable({ base: ["Name can't be blank"] });
        }
        const list = granted(resources, exchange, form);
        const { token: author, now } = exchange;
        const made = tokens.add({
          name,
          accountId: author.accountId,
          createdBy: author.name,
          expiresAt: expiry(expires_at, now),
          resources: list,
          ...accessTo(list),
        });
        return ok({ ...tokenView(made, form), token: made.secret });
      }),
      ...routes('/:id', 'GET', (exchange, form) => ok(tokenView(found(exchange), form))),
      ...routes('/:id', 'DELETE', (exchange) => {
        tokens.remove(found(exchange));
        return noContent();
      }),
      ...routes('/:id/reset', 'POST', (exchange, form) => {
        const old = found(exchange);
        const { now } = exchange;
        const { expires_at } = exchange.size === 0 ? {} : exchange.body();
        const made = tokens.add({ ...old, expiresAt: expiry(expires_at, now) });
        const renamed = { ...made, name: `${old.name} ${made.id}` };
        tokens.put(renamed);
        tokens.put({ ...old, expiresAt: Math.min(old.expiresAt ?? Infinity, now + GRACE_MS) });
        return ok({ ...tokenView(renamed, form), token: renamed.secret });
      }),
    ],
  };
}

/** A token without its value. As recorded: the resources come first, and there is no time of creation. */
function tokenView({ id, name, secret, createdBy, expiresAt, resources }: TokenRecord, form: Form) {
  return {
    resources: resources.map((one) => ({ ...one, resource_type: typeIn(form, one.resource_type) })),
    id,
    name,
    last_4_digits: secret.slice(-4),
    created_by: createdBy,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}
