/** The checks of emails. They may import `report/records` and `reading`. */
import type { MailCheck } from '../records/checked-mail.ts';
import { alt } from './alt.ts';
import { empty } from './empty.ts';
import { escaped } from './escaped.ts';
import { images } from './images.ts';
import { leftOver } from './left-over.ts';
import { links } from './links.ts';
import { size } from './size.ts';
import { textPart } from './text-part.ts';
import { undefinedValues } from './undefined.ts';
import { unsubscribe } from './unsubscribe.ts';
import { variables } from './variables.ts';

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
  | 'duplicates';

/** The checks of single mails. The check `duplicates` compares all mails. */
export const MAIL_CHECKS: Readonly<Record<Exclude<ReportCheck, 'duplicates'>, MailCheck>> = {
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

export const CHECK_NAMES: readonly string[] = [...Object.keys(MAIL_CHECKS), 'duplicates'];
