import type { Issue } from '../core/errors.ts';
import { nullable, oneOf, stringRule } from '../core/rules.ts';
import { paramIssues, paramsOf, updateOf } from './check.ts';
import type { CompanyInfoCreateParams, CompanyInfoUpdateParams } from './company-info.ts';

const needed = {
  name: stringRule,
  address: stringRule,
  city: stringRule,
  country: stringRule,
  zip_code: stringRule,
  website_url: stringRule,
};
const orNull = nullable(stringRule);
const all = {
  ...needed,
  phone: orNull,
  privacy_policy_url: orNull,
  terms_of_service_url: orNull,
  info_level: oneOf(['business', 'individual']),
};
const createRule = paramsOf<CompanyInfoCreateParams>(all, Object.keys(needed) as (keyof typeof needed)[]);
const updateRule = updateOf<CompanyInfoUpdateParams>(all);

/** What is wrong with the parameters of `sendingDomains.companyInfo.create`. */
export const companyCreateIssues = (params: unknown): Issue[] => paramIssues(createRule, params);
/** What is wrong with the parameters of `sendingDomains.companyInfo.update`. */
export const companyUpdateIssues = (params: unknown): Issue[] => paramIssues(updateRule, params);
