import * as z from 'zod';
import type { CategoryStats, DateStats, DomainStats, EmailServiceProviderStats } from './types.ts';
import type { StatsResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

/** Figures of emails: the result of `stats.get`. */
export const emailStats = z.looseObject({
  delivery_count: z.int(),
  delivery_rate: z.number(),
  bounce_count: z.int(),
  bounce_rate: z.number(),
  open_count: z.int(),
  open_rate: z.number(),
  click_count: z.int(),
  click_rate: z.number(),
  spam_count: z.int(),
  spam_rate: z.number(),
}) satisfies SchemaFor<StatsResponses['emailStats']>;

/** The result of `stats.byDomain`, with or without an account in the path. */
export const domainStatsList = z.array(
  z.looseObject({ domain_id: z.int(), stats: emailStats }) satisfies SchemaOf<DomainStats>,
);

/** The result of `stats.byCategory`. */
export const categoryStatsList = z.array(
  z.looseObject({ category: z.string(), stats: emailStats }) satisfies SchemaOf<CategoryStats>,
);

/** The result of `stats.byEmailServiceProvider`. */
export const emailServiceProviderStatsList = z.array(
  z.looseObject({
    email_service_provider: z.string(),
    stats: emailStats,
  }) satisfies SchemaOf<EmailServiceProviderStats>,
);

/** The result of `stats.byDate`. */
export const dateStatsList = z.array(
  z.looseObject({ date: z.string(), stats: emailStats }) satisfies SchemaOf<DateStats>,
);
