import type { Issue } from '../core/errors.ts';
import { stringRule } from '../core/rules.ts';
import { paramIssues, paramsOf } from './check.ts';
import type { SubAccountCreateParams } from './organizations.ts';

const createRule = paramsOf<SubAccountCreateParams>({ name: stringRule }, ['name']);

/** What is wrong with the parameters of `organizations.subAccounts(…).create`. */
export const subAccountIssues = (params: unknown): Issue[] => paramIssues(createRule, params);
