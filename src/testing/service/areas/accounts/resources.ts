import type { Form, Exchange } from '../../routing/route.ts';
import { Refusal, unprocessable } from '../../wire/reply.ts';
import { allows, type TokenRecord, type TokenResource } from '../../state/account/tokens.ts';
import type { AccessRecord, AccessResource } from '../../state/account/accounts.ts';
import type { World } from '../../state/world.ts';

/** The resource types with another name in paths that name the account. */
const ACCOUNT_FORM_TYPES: Readonly<Record<string, string>> = { domain: 'sending_domain', sandbox: 'inbox' };
export const typeIn = (form: Form, type: string) =>
  form === 'account' ? (ACCOUNT_FORM_TYPES[type] ?? type) : type;
export const resourcesIn = (form: Form, resources: readonly AccessResource[]) =>
  resources.map((one) => ({ ...one, resource_type: typeIn(form, one.resource_type) }));

export const levelOf = (token: TokenRecord) => (allows(token, 'account', 'admin') ? 100 : 10);

/** A resource for permissions, and the resources in it. */
export interface Resource {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly access_level: number;
  readonly resources: readonly Resource[];
}

/** All resources of the account of a token. */
export function permissionTree(
  { accountNames, domains, inboxes }: World,
  token: TokenRecord,
  form: Form,
): Resource {
  const access_level = levelOf(token);
  const leaf = (id: number, name: string, type: string): Resource => ({
    id,
    name,
    type: typeIn(form, type),
    access_level,
    resources: [],
  });
  const { accountId } = token;
  return {
    ...leaf(accountId, accountNames.of(accountId), 'account'),
    resources: [
      leaf(accountId, 'Billing', 'billing'),
      ...domains.of(accountId).map(({ id, name }) => leaf(id, name, 'domain')),
      ...inboxes.projects.of(accountId).map((project) => ({
        ...leaf(project.id, project.name, 'project'),
        resources: inboxes.within(project).map(({ id, name }) => leaf(id, name, 'sandbox')),
      })),
      leaf(accountId, 'Email campaigns', 'email_campaign_permission_scope'),
      leaf(accountId, 'Email templates', 'email_template_permission_scope'),
    ],
  };
}

const flat = (resource: Resource): Resource[] => [resource, ...resource.resources.flatMap(flat)];

/**
 * Reads the resource of a permission in a body, with the type names of the request's path; `undefined` if the account does
 * not have it. The id may be a number or a text of digits. The result has the type names of paths without an account.
 */
export function readGrant(
  input: unknown,
  world: World,
  token: TokenRecord,
  form: Form,
): Omit<TokenResource, 'access_level'> | undefined {
  const { resource_type, resource_id } = Object(input) as Record<string, unknown>;
  const isSame = (one: Resource) => one.type === resource_type && String(one.id) === String(resource_id);
  const all = flat(permissionTree(world, token, form));
  const index = all.findIndex(isSame);
  const found = flat(permissionTree(world, token, 'token'))[index];
  return found === undefined ? undefined : { resource_type: found.type, resource_id: found.id };
}

const LEVELS: Readonly<Record<string, 100 | 10>> = { admin: 100, viewer: 10, 100: 100, 10: 10 };

/** Reads a level of access: `admin`, `viewer`, or its number. */
export function readLevel(input: unknown): 100 | 10 | undefined {
  return typeof input === 'string' || typeof input === 'number' ? LEVELS[input] : undefined;
}

/** Grants, changes and revokes the permissions in the body. The other permissions stay. */
export function writePermissions(access: AccessRecord, { body, token, form }: Exchange, world: World): void {
  const { permissions } = body();
  if (!Array.isArray(permissions) || permissions.length === 0) {
    throw new Refusal({ status: 400, content: { type: 'text/html; charset=UTF-8', body: '' } });
  }
  let resources: readonly AccessResource[] = access.resources;
  for (const input of permissions as readonly unknown[]) {
    const grant = readGrant(input, world, token, form);
    const { access_level, _destroy } = Object(input) as Record<string, unknown>;
    const level = readLevel(access_level);
    if (grant === undefined || (_destroy !== true && level === undefined)) {
      throw unprocessable({ base: ['Permissions are invalid'] });
    }
    const others = resources.filter(
      (one) => one.resource_type !== grant.resource_type || one.resource_id !== grant.resource_id,
    );
    resources =
      level === undefined || _destroy === true ? others : [...others, { ...grant, access_level: level }];
  }
  access.resources = resources;
}
