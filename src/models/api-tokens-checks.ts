import { arrayOf, nullable, stringRule, type Rules } from '../core/rules.ts';
import { accessRule } from './accounts-checks.ts';
import type { ApiTokenCreateParams, ApiTokenResetParams } from './api-tokens.ts';
import { paramsOf } from './check.ts';
import { momentRule } from './moment.ts';

const resetRules: Rules<ApiTokenResetParams> = { expires_at: nullable(momentRule) };
/** The parameters of `apiTokens.reset`. */
export const tokenResetRule = paramsOf(resetRules);
/** The parameters of `apiTokens.create`. */
export const tokenCreateRule = paramsOf<ApiTokenCreateParams>(
  { ...resetRules, name: stringRule, resources: arrayOf(accessRule) },
  ['name'],
);
