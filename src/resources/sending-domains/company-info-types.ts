import type { LiteralUnion } from 'type-fest';

/** The company or person that sends from a domain. The service requires it before the domain may send. */
export interface CompanyInfo {
  /** Name of the company or the person. */
  name: string | null;
  /** Street and number. */
  address: string | null;
  /** City. */
  city: string | null;
  /** Country. */
  country: string | null;
  /** Telephone number. */
  phone: string | null;
  /** Postal code. */
  zip_code: string | null;
  /** Address of the privacy policy. */
  privacy_policy_url: string | null;
  /** Address of the terms of service. */
  terms_of_service_url: string | null;
  /** Address of the website. */
  website_url: string | null;
  /** Whether a company sends, or a person. */
  info_level: LiteralUnion<'business' | 'individual', string>;
}

/** Parameters of `sendingDomains.companyInfo.update`. Only the given fields change. */
export interface CompanyInfoUpdateParams {
  /** Name of the company or the person. */
  name?: string | undefined;
  /** Street and number. */
  address?: string | undefined;
  /** City. */
  city?: string | undefined;
  /** Country. */
  country?: string | undefined;
  /** Postal code. */
  zip_code?: string | undefined;
  /** Address of the website. */
  website_url?: string | undefined;
  /** Telephone number. */
  phone?: string | null | undefined;
  /** Address of the privacy policy. */
  privacy_policy_url?: string | null | undefined;
  /** Address of the terms of service. */
  terms_of_service_url?: string | null | undefined;
  /** Whether a company sends, or a person. */
  info_level?: 'business' | 'individual' | undefined;
}

/** Parameters of `sendingDomains.companyInfo.create`. */
export interface CompanyInfoCreateParams extends CompanyInfoUpdateParams {
  /** Name of the company or the person. */
  name: string;
  /** Street and number. */
  address: string;
  /** City. */
  city: string;
  /** Country. */
  country: string;
  /** Postal code. */
  zip_code: string;
  /** Address of the website. */
  website_url: string;
}
