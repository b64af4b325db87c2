import { late } from '../../kit/late.ts';
import { anything, idRule, mustBe, objectOf, positiveRule, stringRule } from '../../core/rules.ts';
import type {
  AccountAccessListParams,
  GrantedPermission,
  PermissionChange,
  RemovedPermission,
  ResourceAccess,
} from './types.ts';
import { someOf } from '../base/param-rules.ts';

const idsRule = late(() => someOf(idRule));

/** The parameters of `accounts.accesses.list`. */
export const accessListRule = late(() =>
  objectOf<AccountAccessListParams>({
    project_ids: idsRule(),
    domain_ids: idsRule(),
    inbox_ids: idsRule(),
  }),
);

/** Access that is granted to a resource. */
export const accessRule = late(() =>
  objectOf<ResourceAccess>(
    {
      resource_type: stringRule,
      resource_id: idRule,
      access_level: mustBe('100 or 10', (level) => level === 100 || level === 10),
    },
    ['resource_type', 'resource_id', 'access_level'],
  ),
);

const permitted = late(() => ({
  resource_type: stringRule,
  resource_id: mustBe(
    'a positive whole number, or its digits',
    (id) => positiveRule(id) === undefined || (typeof id === 'string' && /^[1-9]\d*$/.test(id)),
  ),
}));
const removedRule = late(() =>
  objectOf<Omit<RemovedPermission, 'access_level'>>({ ...permitted(), _destroy: anything }, [
    'resource_type',
    'resource_id',
  ]),
);

const grantedRule = late(() =>
  objectOf<Omit<GrantedPermission, '_destroy'>>(
    {
      ...permitted(),
      access_level: mustBe("100, 10, 'admin' or 'viewer'", (level) =>
        [100, 10, 'admin', 'viewer'].includes(level as number | string),
      ),
    },
    ['resource_type', 'resource_id', 'access_level'],
  ),
);

/** The permissions of `accounts.permissions.updateAll`. */
const changesRule = late(() =>
  someOf((change) => {
    const { _destroy } = Object(change) as Partial<PermissionChange>;
    return (_destroy === true ? removedRule() : grantedRule())(change);
  }),
);
export const permissionsRule = late(() =>
  objectOf<{ permissions: readonly PermissionChange[] }>({ permissions: changesRule() }, ['permissions']),
);

/** The parameter of `accounts.get`. */
export const accessIdRule = late(() => objectOf<{ id: number }>({ id: idRule }, ['id']));
