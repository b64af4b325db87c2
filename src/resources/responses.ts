import type { StandardSchema } from '../core/standard-schema.ts';
import type { AccountResponses } from './accounts/endpoints.ts';
import type { ApiTokenResponses } from './api-tokens/endpoints.ts';
import type { BillingResponses } from './billing/endpoints.ts';
import type { CampaignResponses } from './campaigns/endpoints.ts';
import type { ContactResponses } from './contacts/endpoints.ts';
import type { EmailLogResponses } from './email-logs/endpoints.ts';
import type { InboundResponses } from './inbound/endpoints.ts';
import type { SubAccountResponses } from './organizations/endpoints.ts';
import type { SandboxResponses } from './sandbox/endpoints.ts';
import type { SendingResponses } from './sending/endpoints.ts';
import type { SendingDomainResponses } from './sending-domains/endpoints.ts';
import type { StatsResponses } from './stats/endpoints.ts';
import type { SuppressionResponses } from './suppressions/endpoints.ts';
import type { TemplateResponses } from './templates/endpoints.ts';
import type { TrackingOptOutResponses } from './tracking-opt-outs/endpoints.ts';
import type { WebhookResponses } from './webhooks/endpoints.ts';

/**
 * The responses of all areas, by the names of their schemas. The names of schemas, the schemas and the results of
 * methods follow these types. A list whose body is an array has that array; another list has the page of its body.
 */
export interface Responses
  extends
    AccountResponses,
    ApiTokenResponses,
    BillingResponses,
    CampaignResponses,
    ContactResponses,
    EmailLogResponses,
    InboundResponses,
    SubAccountResponses,
    SandboxResponses,
    SendingResponses,
    SendingDomainResponses,
    StatsResponses,
    SuppressionResponses,
    TemplateResponses,
    TrackingOptOutResponses,
    WebhookResponses {}

/** Names of the schemas in `email-platform/schemas` that the client looks up to check responses. */
export type ResponseSchemaName = keyof Responses;

/**
 * Schemas to check responses with, by name: `import * as schemas from 'email-platform/schemas'`, some of them, or your
 * own Standard Schemas under the same names. Other names are ignored.
 */
// oxlint-disable-next-line typescript/consistent-indexed-object-style -- editors name a mapped type, and spell a Record out
export type ResponseSchemas = { readonly [Name in ResponseSchemaName]?: StandardSchema | undefined };
