import { arrayOf, nullable, objectOf, stringRule, type Rules } from '../../core/rules.ts';
import { accessRule } from '../accounts/rules.ts';
import type { ApiTokenCreateParams, ApiTokenResetParams } from './types.ts';

import { momentRule } from '../../core/moment.ts';

const resetRules: Rules<ApiTokenResetParams> = { expires_at: nullable(momentRule) };
/** The parameters of `apiTokens.reset`. */
export const tokenResetRule = objectOf(resetRules);
/** The parameters of `apiTokens.create`. */
export const tokenCreateRule = objectOf<ApiTokenCreateParams>(
  { ...resetRules, name: stringRule, resources: arrayOf(accessRule) },
  ['name'],
);
