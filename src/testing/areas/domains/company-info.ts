import { notFound, ok, type Exchange, type Route } from '../../route.ts';
import { FieldErrors, INVALID, required, text } from '../field-errors.ts';
import { wrapped } from '../wrapper.ts';
import type { DomainRecord } from './record.ts';

const REQUIRED_FIELDS = ['name', 'address', 'city', 'country', 'zip_code', 'website_url'];
const OPTIONAL_FIELDS = ['phone', 'privacy_policy_url', 'terms_of_service_url'];

/** The company information of a domain. */
export function companyRoutes(
  found: (exchange: Exchange) => DomainRecord,
): (Omit<Route, 'path' | 'permission'> & { readonly tail: string })[] {
  const tail = '/:id/company_info';
  const write = (exchange: Exchange) => {
    const domain = found(exchange);
    const given = wrapped(exchange.body(), 'company_info');
    domain.companyInfo = companyInfo(given, domain.companyInfo ?? {});
    return ok({ data: domain.companyInfo });
  };
  return [
    {
      tail,
      method: 'GET',
      handler: (exchange) => {
        const { companyInfo: info } = found(exchange);
        if (info === null) throw notFound();
        return ok({ data: info });
      },
    },
    { tail, method: 'POST', handler: write },
    { tail, method: 'PATCH', handler: write },
  ];
}

function companyInfo(
  given: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const errors = new FieldErrors();
  const known = (name: string) => {
    const value = before[name];
    return typeof value === 'string' ? value : null;
  };
  const level = given.info_level ?? before.info_level ?? 'business';
  if (level !== 'business' && level !== 'individual') errors.add('info_level', INVALID);
  const info = {
    ...Object.fromEntries(
      REQUIRED_FIELDS.map((name) => [name, required(given[name], known(name) ?? '', name, errors)]),
    ),
    ...Object.fromEntries(
      OPTIONAL_FIELDS.map((name) => [name, text(given[name], known(name), name, errors)]),
    ),
    info_level: level,
  };
  errors.throwIfAny();
  return info;
}
