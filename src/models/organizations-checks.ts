import { stringRule } from '../core/rules.ts';
import { paramsOf } from './check.ts';
import type { SubAccountCreateParams } from './organizations.ts';

/** The parameters of `organizations.subAccounts(…).create`. */
export const subAccountRule = paramsOf<SubAccountCreateParams>({ name: stringRule }, ['name']);
