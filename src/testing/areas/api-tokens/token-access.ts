import type { EmulatorAccess, EmulatorArea, TokenRecord, TokenResource } from '../../tokens.ts';

/** The areas that each type of resource gives access to. Access to the account is access to everything in it. */
const AREAS: Readonly<Record<string, readonly EmulatorArea[]>> = {
  billing: ['billing'],
  domain: ['domains', 'sending', 'emailLogs', 'suppressions', 'stats'],
  project: ['sandbox'],
  sandbox: ['sandbox'],
  email_campaign_permission_scope: ['campaigns', 'contacts', 'templates'],
};

const accessOf = (levels: readonly number[]): EmulatorAccess =>
  levels.includes(100) ? 'admin' : levels.length > 0 ? 'viewer' : 'none';

/**
 * What a token with these resources may do. Domains are told apart; access to one project or test inbox counts for all
 * of them.
 */
export function accessTo(
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
