/** The checks of emails. They may import `report/records` and `reading`. */
import type { MailCheck } from '../records/checked-mail.ts';
import { alt } from './html/alt.ts';
import { empty } from './text/empty.ts';
import { escaped } from './text/escaped.ts';
import { images } from './html/images.ts';
import { leftOver } from './text/left-over.ts';
import { links } from './html/links.ts';
import { size } from './html/size.ts';
import { textPart } from './text/text-part.ts';
import { undefinedValues } from './text/undefined.ts';
import { unsubscribe } from './html/unsubscribe.ts';
import { variables } from './text/variables.ts';

/** The name of a check, which switches it off in the option `checks`. */
export type ReportCheck =
  | 'variables'
  | 'left-over'
  | 'undefined'
  | 'escaped'
  | 'empty'
  | 'links'
  | 'text-part'
  | 'size'
  | 'alt'
  | 'images'
  | 'unsubscribe'
  | 'duplicates'
  | 'unreadable';

/** The checks of single mails. `duplicates` compares all mails, and `unreadable` is about those that none can check. */
export const MAIL_CHECKS: Readonly<Record<Exclude<ReportCheck, 'duplicates' | 'unreadable'>, MailCheck>> = {
  variables,
  'left-over': leftOver,
  undefined: undefinedValues,
  escaped,
  empty,
  links,
  'text-part': textPart,
  size,
  alt,
  images,
  unsubscribe,
};

export const CHECK_NAMES: readonly string[] = [...Object.keys(MAIL_CHECKS), 'duplicates', 'unreadable'];
