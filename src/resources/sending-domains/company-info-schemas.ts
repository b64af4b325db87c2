import * as z from 'zod';
import type { SendingDomainResponses } from './endpoints.ts';
import type { SchemaFor } from '../base/schema-of.ts';

const text = z.string().nullable();

/** The sender of a domain: the result of the methods of `sendingDomains.companyInfo`. */
export const companyInfo = z.looseObject({
  name: text,
  address: text,
  city: text,
  country: text,
  phone: text,
  zip_code: text,
  privacy_policy_url: text,
  terms_of_service_url: text,
  website_url: text,
  info_level: z.string(),
}) satisfies SchemaFor<SendingDomainResponses['companyInfo']>;
