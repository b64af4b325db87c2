import type { Issue } from '../core/errors.ts';
import { allOf, arrayOf, positiveRule, type Rule } from '../core/rules.ts';
import type { AccountAccessListParams } from './accounts.ts';
import { notEmptyList, paramIssues, paramsOf } from './check.ts';

const idsRule: Rule = allOf(arrayOf(positiveRule), notEmptyList);

const accessListRule = paramsOf<AccountAccessListParams>({
  project_ids: idsRule,
  domain_ids: idsRule,
  inbox_ids: idsRule,
});

/** What is wrong with the parameters of `accounts.accesses.list`. */
export const accessListIssues = (params: unknown): Issue[] => paramIssues(accessListRule, params);
