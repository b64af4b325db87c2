import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import type { Page } from '../core/pager.ts';
import { changesSomething, answerSchema, issuesOf, once, whole } from './check.ts';

/** How far a domain has come: one of the known stages, or one the service has added since. */
export type ComplianceStatus = LiteralUnion<
  | 'demo'
  | 'demo_exhausted'
  | 'unverified_dns'
  | 'missing_company_info'
  | 'under_review'
  | 'awaiting_questionnaire'
  | 'awaiting_card_verification'
  | 'non_compliant'
  | 'compliant'
  | 'suspended',
  string
>;

/** What the service found when it looked a DNS record up. */
export type DnsRecordStatus = LiteralUnion<
  'pass' | 'fail' | 'unchecked' | 'missing' | 'softfail' | 'network_error',
  string
>;

/** A DNS record to add at the domain's provider. */
export interface DnsRecord {
  /** What it is for: `verification`, `dkim1`, `dmarc` and so on. */
  key: string;
  /** The domain it belongs to. */
  domain: string;
  /** `TXT`, `CNAME` and so on. */
  type: string;
  /** What to enter as its value. */
  value: string;
  /** What to enter as its name. */
  name: string;
  /** What the service found. */
  status: DnsRecordStatus;
}

/** A domain mails are sent from. Beyond the specification's fields, those of the public reference. */
export interface SendingDomain {
  /** The domain's id. */
  id: number;
  /** The domain itself. */
  domain_name: string;
  /** A domain of the service's own, to try it with. */
  demo: boolean;
  /** How far it has come. */
  compliance_status: ComplianceStatus;
  /** Whether the service has verified it. */
  dns_verified: boolean;
  /** ISO 8601 date-time; null or `''` while it is not verified. */
  dns_verified_at: string | null;
  /** The records to add; the domain is verified when all of them pass. */
  dns_records: DnsRecord[];
  /** Whether opens are counted. */
  open_tracking_enabled: boolean;
  /** Whether clicks are counted. */
  click_tracking_enabled: boolean;
  /** Whether an unsubscribe link is added. */
  auto_unsubscribe_link_enabled: boolean;
  /** Whether tracking links use the domain. */
  custom_domain_tracking_enabled: boolean;
  /** Whether health alerts are sent. */
  health_alerts_enabled: boolean;
  /** Whether critical alerts are sent. */
  critical_alerts_enabled: boolean;
  /** Who receives alerts. */
  alert_recipient_email: string | null;
  /** What the token may do with it. */
  permissions: {
    /** Read it. */
    can_read: boolean;
    /** Change it. */
    can_update: boolean;
    /** Delete it. */
    can_destroy: boolean;
  };
}

/** What `sendingDomains.create` takes. */
export interface SendingDomainCreateParams {
  /** The domain, for instance `news.example.com`. */
  domain_name: string;
}

/** What `sendingDomains.update` may change, by the public reference. Only the fields given change. */
export interface SendingDomainUpdateParams {
  /** Count opens. */
  open_tracking_enabled?: boolean | undefined;
  /** Count clicks. */
  click_tracking_enabled?: boolean | undefined;
  /** Add an unsubscribe link. */
  auto_unsubscribe_link_enabled?: boolean | undefined;
  /** Let recipients opt out of tracking. */
  tracking_opt_out_enabled?: boolean | undefined;
  /** Receive mails. */
  inbound_enabled?: boolean | undefined;
}

/** The page of sending domains; there is one. */
export interface SendingDomainPage extends Page<SendingDomain> {
  /** Every domain the token can see. */
  readonly data: SendingDomain[];
}

/** Whether a domain is verified: all of its DNS records pass. */
export const isVerified = ({
  dns_records,
  dns_verified,
}: {
  // As the service may leave them out.
  readonly dns_records?: readonly ({ readonly status?: string } | null)[] | null;
  readonly dns_verified?: boolean | null;
}): boolean =>
  dns_records?.length ? dns_records.every((record) => record?.status === 'pass') : dns_verified === true;

const createParams = once((): z.ZodMiniType<SendingDomainCreateParams> =>
  z.strictObject({ domain_name: z.string() }),
);

const updateParams = once((): z.ZodMiniType<SendingDomainUpdateParams> => {
  const flag = z.optional(z.boolean());
  return z
    .strictObject({
      open_tracking_enabled: flag,
      click_tracking_enabled: flag,
      auto_unsubscribe_link_enabled: flag,
      tracking_opt_out_enabled: flag,
      inbound_enabled: flag,
    })
    .check(changesSomething());
});

const setupParams = once(() => z.strictObject({ email: z.string() }));

/** What is wrong with the parameters of `sendingDomains.create`. */
export const domainCreateIssues = (params: unknown): Issue[] => issuesOf(createParams(), params);
/** What is wrong with the parameters of `sendingDomains.update`. */
export const domainUpdateIssues = (params: unknown): Issue[] => issuesOf(updateParams(), params);
/** What is wrong with the parameters of `sendingDomains.sendSetupInstructions`. */
export const domainSetupIssues = (params: unknown): Issue[] => issuesOf(setupParams(), params);

const domain = once(
  (): z.ZodMiniType<
    Pick<SendingDomain, 'id' | 'domain_name' | 'compliance_status' | 'dns_verified' | 'dns_records'>
  > =>
    z.looseObject({
      id: whole(),
      domain_name: z.string(),
      compliance_status: z.string(),
      dns_verified: z.boolean(),
      dns_records: z.array(
        z.looseObject({
          key: z.string(),
          domain: z.string(),
          type: z.string(),
          value: z.string(),
          name: z.string(),
          status: z.string(),
        }),
      ),
    }),
);

/** The answer of every method that gives one domain; only what the specification names is looked at. */
export const domainAnswer = answerSchema(domain);
/** The answer of `sendingDomains.list`. */
export const domainListAnswer = answerSchema(() => z.looseObject({ data: z.array(domain()) }));
