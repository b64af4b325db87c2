import type { MailCheck } from './check.ts';
import { alt } from './alt.ts';
import { images } from './images.ts';
import { leftOver } from './left-over.ts';
import { links } from './links.ts';
import { size } from './size.ts';
import { textPart } from './text-part.ts';
import { undefinedValues } from './undefined.ts';
import { unsubscribe } from './unsubscribe.ts';
import { variables } from './variables.ts';

/** The checks of single mails, by the name by which each is switched off. */
export const MAIL_CHECKS = {
  variables,
  'left-over': leftOver,
  undefined: undefinedValues,
  links,
  'text-part': textPart,
  size,
  alt,
  images,
  unsubscribe,
} as const satisfies Readonly<Record<string, MailCheck>>;

/** The name of a check. */
export type ReportCheck = keyof typeof MAIL_CHECKS | 'duplicates';

export const CHECK_NAMES: readonly ReportCheck[] = [
  ...(Object.keys(MAIL_CHECKS) as (keyof typeof MAIL_CHECKS)[]),
  'duplicates',
];
