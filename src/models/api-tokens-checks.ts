import type { Issue } from '../core/errors.ts';
import { arrayOf, nullable, stringRule, type Rules } from '../core/rules.ts';
import { accessRule } from './accounts-checks.ts';
import type { ApiTokenCreateParams, ApiTokenResetParams } from './api-tokens.ts';
import { paramIssues, paramsOf } from './check.ts';
import { momentRule } from './moment.ts';

const resetRules: Rules<ApiTokenResetParams> = { expires_at: nullable(momentRule) };
const resetRule = paramsOf(resetRules);
const createRule = paramsOf<ApiTokenCreateParams>(
  { ...resetRules, name: stringRule, resources: arrayOf(accessRule) },
  ['name'],
);

/** What is wrong with the parameters of `apiTokens.create`. */
export const tokenCreateIssues = (params: unknown): Issue[] => paramIssues(createRule, params);
/** What is wrong with the parameters of `apiTokens.reset`. */
export const tokenResetIssues = (params: unknown): Issue[] => paramIssues(resetRule, params);
