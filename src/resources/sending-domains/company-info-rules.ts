import { nullable, objectOf, stringRule } from '../../core/rules.ts';
import { updateOf } from '../param-rules.ts';
import type { CompanyInfoCreateParams, CompanyInfoUpdateParams } from './company-info-types.ts';

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
  info_level: stringRule,
};
/** The parameters of `sendingDomains.companyInfo.create`. */
export const companyCreateRule = objectOf<CompanyInfoCreateParams>(
  all,
  Object.keys(needed) as (keyof typeof needed)[],
);
/** The parameters of `sendingDomains.companyInfo.update`. */
export const companyUpdateRule = updateOf<CompanyInfoUpdateParams>(all);
