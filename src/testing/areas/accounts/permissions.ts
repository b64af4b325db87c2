import { Refusal, unprocessable, type Exchange } from '../../route.ts';
import { readGrant, type ResourceStores } from './resources.ts';
import type { AccessRecord, AccessResource } from './store.ts';

const LEVELS: Readonly<Record<string, 100 | 10>> = { admin: 100, viewer: 10, 100: 100, 10: 10 };

/** Reads a level of access: `admin`, `viewer`, or the number of either. */
export function readLevel(given: unknown): 100 | 10 | undefined {
  return typeof given === 'string' || typeof given === 'number' ? LEVELS[given] : undefined;
}

/** Grants, changes and takes away what the body names. The rest of the access stays as it is. */
export function writePermissions(
  access: AccessRecord,
  { body, token, form }: Exchange,
  stores: ResourceStores,
): void {
  const { permissions } = body();
  if (!Array.isArray(permissions) || permissions.length === 0) {
    throw new Refusal({ status: 400, content: { type: 'text/html; charset=UTF-8', body: '' } });
  }
  let resources: readonly AccessResource[] = access.resources;
  for (const given of permissions as readonly unknown[]) {
    const grant = readGrant(given, stores, token, form);
    const { access_level, _destroy } = Object(given) as Record<string, unknown>;
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
