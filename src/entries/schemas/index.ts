/**
 * zod schemas of the results of methods and of the events of webhooks, to check the client's responses with, and to
 * build your own schemas from. They describe the service's responses: unknown keys pass, and so do states and types the
 * service may add. Needs `zod` 4.
 *
 * @example
 * ```ts
 * import { EmailPlatform } from 'email-platform';
 * import * as schemas from 'email-platform/schemas';
 *
 * const hooks = { onMismatch: ({ operation, issues }) => console.warn(operation, issues) };
 * const client = new EmailPlatform({ schemas, hooks });
 * ```
 * @module email-platform/schemas
 */

export * from '../../resources/accounts/schemas.ts';
export * from '../../resources/api-tokens/schemas.ts';
export * from '../../resources/billing/schemas.ts';
export * from '../../resources/campaigns/schemas.ts';
export * from '../../resources/sending-domains/company-info-schemas.ts';
export * from '../../resources/contacts/schemas.ts';
export * from '../../resources/email-logs/schemas.ts';
export * from '../../resources/sandbox/schemas.ts';
export * from '../../resources/organizations/schemas.ts';
export * from '../../resources/inbound/schemas.ts';
export * from '../../resources/sending/schemas.ts';
export * from '../../resources/sending-domains/schemas.ts';
export * from '../../resources/stats/schemas.ts';
export * from '../../resources/suppressions/schemas.ts';
export * from '../../resources/templates/schemas.ts';
export * from '../../resources/tracking-opt-outs/schemas.ts';
export * from '../../resources/webhooks/event-schemas.ts';
export * from '../../resources/webhooks/schemas.ts';
