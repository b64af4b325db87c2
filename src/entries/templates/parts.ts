import { createHash } from 'node:crypto';
import type { Template } from '../../resources/templates/types.ts';
import type { TemplateFolder } from './types.ts';

/** A part of a template: a field of `template.json`, or a body. */
export type TemplatePart = 'name' | 'subject' | 'category' | 'html' | 'text';

/** The parts of a template. Each is compared separately. */
export const TEMPLATE_PARTS: readonly TemplatePart[] = ['name', 'subject', 'category', 'html', 'text'];

/** The text of each part; null for a missing body. */
export type Parts = Readonly<Record<TemplatePart, string | null>>;

/** A value for each part. */
export const eachPart = <T>(of: (part: TemplatePart) => T): Record<TemplatePart, T> => ({
  name: of('name'),
  subject: of('subject'),
  category: of('category'),
  html: of('html'),
  text: of('text'),
});

/** The parts in the files of a template. */
export const partsOfFiles = ({ name, subject, category, html, text }: TemplateFolder): Parts => ({
  name,
  subject,
  category,
  html: html === '' ? null : html,
  text: text === '' ? null : text,
});

/** The parts of a template in the service, with line ends converted to `\n`. */
export const partsOfHosted = ({ name, subject, category, body_html, body_text }: Template): Parts => ({
  name,
  subject,
  category,
  html: bodyOf(body_html),
  text: bodyOf(body_text),
});

/** The service may return an empty text for a missing body. */
const bodyOf = (body: string | null) => (body === null || body === '' ? null : body.replace(/\r\n?/g, '\n'));

/** The hash of a part in the lock; null for a missing body. */
export const hashOf = (text: string | null): string | null =>
  text === null ? null : createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The hash of each part. */
export const hashesOf = (parts: Parts): Record<TemplatePart, string | null> =>
  eachPart((part) => hashOf(parts[part]));

/** Whether all parts are the same. */
export const isSame = (one: Parts, other: Parts): boolean =>
  TEMPLATE_PARTS.every((part) => one[part] === other[part]);
