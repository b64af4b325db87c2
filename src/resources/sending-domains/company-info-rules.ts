import { late } from '../../kit/late.ts';
import { nullable, objectOf, stringRule } from '../../core/rules.ts';
import { updateOf } from '../base/param-rules.ts';
import type { CompanyInfoCreateParams, CompanyInfoUpdateParams } from './company-info-types.ts';

const needed = late(() => ({
  name: stringRule,
  address: stringRule,
  city: stringRule,
  country: stringRule,
  zip_code: stringRule,
  website_url: stringRule,
}));
const all = late(() => ({
  ...needed(),
  phone: nullable(stringRule),
  privacy_policy_url: nullable(stringRule),
  terms_of_service_url: nullable(stringRule),
  info_level: stringRule,
}));
/** The parameters of `sendingDomains.companyInfo.create`. */
export const companyCreateRule = late(() =>
  objectOf<CompanyInfoCreateParams>(all(), Object.keys(needed()) as (keyof ReturnType<typeof needed>)[]),
);
/** The parameters of `sendingDomains.companyInfo.update`. */
export const companyUpdateRule = late(() => updateOf<CompanyInfoUpdateParams>(all()));
