import {
  noContent,
  notFound,
  ok,
  Refusal,
  unprocessable,
  type Area,
  type Exchange,
  type Route,
} from '../../route.ts';
import { allows, ownsDomain, reachesDomain, type TokenRecord } from '../../tokens.ts';
import { FieldErrors, flag, INVALID } from '../field-errors.ts';
import { inBothForms, type Form } from '../forms.ts';
import { wrapped } from '../wrapper.ts';
import { companyRoutes } from './company-info.ts';
import { isDomainName } from './name.ts';
import type { DomainRecord, DomainSettings } from './record.ts';
import type { DomainStore } from './store.ts';
import { domainView } from './view.ts';

/** The path and the wrapper of the body have different names in each form. */
const PATHS = { token: '/domains', account: '/sending_domains' } as const;
const WRAPPERS: Readonly<Record<Form, string>> = { token: 'domain', account: 'sending_domain' };

type Endpoint = (form: Form) => Omit<Route, 'path' | 'permission'>;

/** Sending domains. */
export function createDomains(store: DomainStore): Area {
  const view = (domain: DomainRecord, { token }: Exchange) =>
    domainView(domain, store, allows(token, 'domains', 'admin') && ownsDomain(token, domain.id));
  const found = ({ params, token }: Exchange): DomainRecord => {
    const domain = store.get(Number(params.id));
    if (domain === undefined || !within(token, domain)) throw notFound();
    return domain;
  };
  const routes = (tail: string, endpoint: Endpoint): Route[] =>
    inBothForms({ token: PATHS.token + tail, account: PATHS.account + tail }, (form) => {
      const { method, handler } = endpoint(form);
      if (method === 'GET') return { method, permission: ['domains', 'viewer'], handler };
      return {
        method,
        permission: ['domains', 'admin'],
        handler: (exchange) => {
          if (exchange.params.id !== undefined && !ownsDomain(exchange.token, found(exchange).id)) {
            throw new Refusal({ status: 403, json: { errors: 'Access forbidden' } });
          }
          return handler(exchange);
        },
      };
    });

  return {
    routes: [
      ...routes('', () => ({
        method: 'GET',
        handler: (exchange) => {
          const mine = store.all().filter((domain) => within(exchange.token, domain));
          return ok({ data: mine.map((domain) => view(domain, exchange)) });
        },
      })),
      ...routes('', (form) => ({
        method: 'POST',
        handler: (exchange) => {
          const { domain_name: given } = wrapped(exchange.body(), WRAPPERS[form]);
          const { accountId } = exchange.token;
          const name = nameOf(given);
          if (store.named(accountId, name) !== undefined) {
            throw unprocessable({ base: ['Domain name has already been taken'] });
          }
          const domain = store.add(accountId, name, { kind: 'propagating', since: exchange.now });
          return ok(view(domain, exchange));
        },
      })),
      ...routes('/:id', () => ({
        method: 'GET',
        handler: (exchange) => ok(view(found(exchange), exchange)),
      })),
      ...routes('/:id', (form) => ({
        method: 'PATCH',
        handler: (exchange) => {
          const domain = found(exchange);
          write(domain.settings, wrapped(exchange.body(), WRAPPERS[form]));
          return ok(view(domain, exchange));
        },
      })),
      ...routes('/:id', () => ({
        method: 'DELETE',
        handler: (exchange) => {
          store.remove(found(exchange).id);
          return noContent();
        },
      })),
      ...routes('/:id/send_setup_instructions', () => ({
        method: 'POST',
        handler: (exchange) => {
          found(exchange);
          const { email } = exchange.body();
          if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) {
            throw unprocessable({ email: [INVALID] });
          }
          return noContent();
        },
      })),
      ...companyRoutes(found).flatMap(({ tail, ...route }) => routes(tail, () => route)),
    ],
  };
}

/** Whether a token has access to a domain. */
function within(token: TokenRecord, domain: DomainRecord): boolean {
  return domain.accountId === token.accountId && reachesDomain(token, domain.id);
}

/** Reads a domain name. The service reports an error in it in one sentence, under `base`. */
function nameOf(given: unknown): string {
  if (typeof given !== 'string' || given.trim() === '') {
    throw unprocessable({ base: ["Domain name can't be blank"] });
  }
  const name = given.trim().toLowerCase();
  if (!isDomainName(name)) throw unprocessable({ base: ['Domain name is invalid'] });
  return name;
}

function write(settings: DomainSettings, given: Readonly<Record<string, unknown>>): void {
  const errors = new FieldErrors();
  const changes: Partial<DomainSettings> = {};
  for (const name of Object.keys(settings) as (keyof DomainSettings)[]) {
    changes[name] = flag(given[name], settings[name], name, errors);
  }
  errors.throwIfAny();
  Object.assign(settings, changes);
}
