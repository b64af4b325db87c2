import { late } from '../../kit/late.ts';
import { arrayOf, nullable, objectOf, stringRule, type Rules } from '../../core/rules.ts';
import { accessRule } from '../accounts/rules.ts';
import type { ApiTokenCreateParams, ApiTokenResetParams } from './types.ts';

import { momentRule } from '../../core/moment.ts';

const resetRules = late((): Rules<ApiTokenResetParams> => ({ expires_at: nullable(momentRule) }));
/** The parameters of `apiTokens.reset`. */
export const tokenResetRule = late(() => objectOf(resetRules()));
/** The parameters of `apiTokens.create`. */
export const tokenCreateRule = late(() =>
  objectOf<ApiTokenCreateParams>({ ...resetRules(), name: stringRule, resources: arrayOf(accessRule()) }, [
    'name',
  ]),
);
