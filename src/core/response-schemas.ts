import type { StandardSchema } from './standard-schema.ts';

/** Names of the schemas in `email-platform/schemas` that the client looks up to check responses. */
export type ResponseSchemaName =
  | 'account'
  | 'accountAccessList'
  | 'accountList'
  | 'batchResult'
  | 'campaign'
  | 'campaignPage'
  | 'campaignStats'
  | 'emailLogMessageDetails'
  | 'emailLogPage'
  | 'permissionResourceList'
  | 'removedAccess'
  | 'sendResult'
  | 'sendingDomain'
  | 'sendingDomainPage'
  | 'template'
  | 'templateList';

/**
 * Schemas to check responses with, by name: `import * as schemas from 'email-platform/schemas'`, some of them, or any
 * Standard Schemas of your own under the same names. Names the client does not look up are ignored.
 */
export type ResponseSchemas = Readonly<Partial<Record<ResponseSchemaName, StandardSchema | undefined>>>;

/** What becomes of a response that does not match its schema. */
export type MismatchAction = 'report' | 'throw';
