import { arrayOf, fits, notBlank, objectOf, oneOf, positive, text } from '../../../declare/kind.ts';
import { control, optional } from '../../routing/control.ts';
import { isoOrNull } from '../../../encoding/iso.ts';
import { type Exchange, type Form, route } from '../../routing/route.ts';
import { noContent, ok, orNotFound, unprocessable } from '../../wire/reply.ts';
import type {
  EmulatorAccess,
  EmulatorArea,
  EmulatorTokenOptions,
  TokenRecord,
  TokenResource,
} from '../../state/account/tokens.ts';
import { readGrant, readLevel, resourcesIn } from '../accounts/resources.ts';
import { area } from '../../routing/area.ts';
import { addFirstDomains } from '../sending-domains/area.ts';
import type { World } from '../../state/world.ts';

const access = oneOf(['none', 'viewer', 'admin'] satisfies EmulatorAccess[]);

const tokenOptions = objectOf<EmulatorTokenOptions>({
  permissions: objectOf<Record<EmulatorArea, EmulatorAccess>>({
    campaigns: access,
    emailLogs: access,
    sending: access,
    templates: access,
    domains: access,
    account: access,
    billing: access,
    contacts: access,
    suppressions: access,
    stats: access,
    webhooks: access,
    inbound: access,
    sandbox: access,
  }),
  domains: arrayOf('domain ids', positive),
  accountId: positive,
});

/** The controls of API tokens. */
const tokenControls = {
  createToken: control<(options?: EmulatorTokenOptions) => string>(
    'POST /tokens',
    { takes: { options: optional(tokenOptions) }, body: 'options', returns: text, as: 'token' },
    ({ tokens, domains, accountId }, options = {}) => {
      for (const id of options.domains ?? []) domains.known(id);
      const { accountId: owner = accountId } = options;
      if (owner !== accountId && domains.count(owner) === 0) addFirstDomains(domains, owner);
      return tokens.create(options, accountId);
    },
  ),
};

/** The areas that each type of resource gives access to. Access to the account includes all its resources. */
const AREAS: Readonly<Record<string, readonly EmulatorArea[]>> = {
  billing: ['billing'],
  domain: ['domains', 'sending', 'emailLogs', 'suppressions', 'stats'],
  project: ['sandbox'],
  sandbox: ['sandbox'],
  email_campaign_permission_scope: ['campaigns', 'contacts', 'templates'],
  email_template_permission_scope: ['templates'],
};

const accessOf = (levels: readonly number[]): EmulatorAccess =>
  levels.includes(100) ? 'admin' : levels.length > 0 ? 'viewer' : 'none';

/**
 * The permissions of a token with these resources. Access to domains is per domain; access to one project or test inbox
 * counts for all of them.
 */
function accessTo(
  resources: readonly TokenResource[],
): Pick<TokenRecord, 'permissions' | 'otherwise' | 'domains' | 'ownDomains'> {
  const levelsOf = (fits: (type: string) => boolean) =>
    resources.filter((one) => fits(one.resource_type)).map(({ access_level }) => access_level);
  const account = levelsOf((type) => type === 'account');
  const otherwise = accessOf(account);
  const areas = new Set(Object.values(AREAS).flat());
  const permissions = Object.fromEntries(
    [...areas].map((area) => {
      const levels = levelsOf((type) => AREAS[type]?.includes(area) ?? false);
      return [area, accessOf([...account, ...levels])];
    }),
  );
  const domains = resources.filter(({ resource_type }) => resource_type === 'domain');
  const idsOf = (some: readonly TokenResource[]) => some.map(({ resource_id }) => resource_id);
  return {
    permissions,
    otherwise,
    domains: otherwise === 'none' ? idsOf(domains) : undefined,
    ownDomains:
      otherwise === 'admin' ? undefined : idsOf(domains.filter(({ access_level }) => access_level === 100)),
  };
}

const DAY_MS = 86_400_000;
const LONGEST_MS = 5 * 365 * DAY_MS;
/** How long a replaced token stays valid, in milliseconds. */
const GRACE_MS = DAY_MS / 2;

/** As recorded of an empty list. A missing one is optional in the public reference. */
const NO_PERMISSIONS = 'No permissions selected. Please choose at least one.';

const TOKENS = { area: 'account' } as const;

/** The endpoints of API tokens. Their tokens work like those of `createToken`. */
function tokenRoutes(world: World) {
  const { tokens, settings } = world;
  const { tokenLifetimeMs } = settings.accounts;
  const found = ({ params, token, now }: Exchange): TokenRecord =>
    orNotFound(tokens.list(token.accountId, now).find(({ id }) => id === Number(params.id)));
  const expiry = (input: unknown, now: number): number | null => {
    if (input === null) return null;
    if (input === undefined) return tokenLifetimeMs === Infinity ? null : now + tokenLifetimeMs;
    const at = typeof input === 'string' ? Date.parse(input) : NaN;
    if (!(at > now && at <= now + LONGEST_MS)) throw unprocessable({ expires_at: ['is invalid'] });
    return at;
  };
  const granted = (input: unknown, { token, form }: Exchange): TokenResource[] => {
    if (!Array.isArray(input)) throw unprocessable({ base: ['Permissions are invalid'] });
    return (input as readonly unknown[]).map((one) => {
      const grant = readGrant(one, world, token, form);
      const level = readLevel((Object(one) as Record<string, unknown>).access_level);
      if (grant === undefined || level === undefined) {
        throw unprocessable({ base: ['Permissions are invalid'] });
      }
      return { ...grant, access_level: level };
    });
  };

  return [
    route('GET /api_tokens', TOKENS, ({ token, now, form }) =>
      ok(tokens.list(token.accountId, now).map((one) => tokenView(one, form))),
    ),
    route('POST /api_tokens', TOKENS, (exchange) => {
      const { name, resources, expires_at } = exchange.body();
      if (Array.isArray(resources) && resources.length === 0) throw unprocessable({ base: [NO_PERMISSIONS] });
      // As recorded: an error in the name is reported under `base`, too.
      if (!fits(notBlank, name)) {
        throw unprocessable({ base: ["Name can't be blank"] });
      }
      const list = granted(resources ?? [], exchange);
      const { token: author, now, form } = exchange;
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
    route('GET /api_tokens/{id}', TOKENS, (exchange) => ok(tokenView(found(exchange), exchange.form))),
    route('DELETE /api_tokens/{id}', TOKENS, (exchange) => {
      tokens.remove(found(exchange));
      return noContent();
    }),
    route(
      'POST /api_tokens/{id}/reset',
      { ...TOKENS, inferred: 'that the old token works for twelve more hours' },
      (exchange) => {
        const old = found(exchange);
        const { now, form } = exchange;
        const { expires_at } = exchange.size === 0 ? {} : exchange.body();
        const made = tokens.add({ ...old, expiresAt: expiry(expires_at, now) });
        const renamed = { ...made, name: `${old.name} ${made.id}` };
        tokens.put(renamed);
        tokens.put({ ...old, expiresAt: Math.min(old.expiresAt ?? Infinity, now + GRACE_MS) });
        return ok({ ...tokenView(renamed, form), token: renamed.secret });
      },
    ),
  ];
}

/** A token without its value. As recorded, the resources come first, and there is no time of creation. */
function tokenView({ id, name, secret, createdBy, expiresAt, resources }: TokenRecord, form: Form) {
  return {
    resources: resourcesIn(form, resources),
    id,
    name,
    last_4_digits: secret.slice(-4),
    created_by: createdBy,
    expires_at: isoOrNull(expiresAt),
  };
}

/** API tokens. */
export const apiTokens = area({
  name: 'api-tokens',
  routes: tokenRoutes,
  controls: tokenControls,
});
