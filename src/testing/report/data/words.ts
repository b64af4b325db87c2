/** The words that the page shares with the emulator and the command: those of a search, and of a comparison. */

import { outcome } from './outcomes.ts';
import type { ReportKindChange, ReportMail, ReportRequest } from './data.ts';

/** The search reads this many characters of each text. */
const SEARCHED = 100_000;

export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/** The text in which words are looked for. In HTML, `&amp;` is `&`, as in the addresses of links. */
export const searchedText = (parts: readonly (string | null)[]): string =>
  parts
    .map((part) => part?.slice(0, SEARCHED) ?? '')
    .join('\n')
    .replaceAll('&amp;', '&')
    .toLowerCase();

/** Whether a text has every word. */
export const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

/** The searched parts of a mail. */
export const partsOfMail = (mail: ReportMail, kind: string | undefined): readonly (string | null)[] => [
  mail.subject,
  mail.to,
  mail.toName,
  ...[...mail.recipients.to, ...mail.recipients.cc].flatMap(({ email, name }) => [email, name]),
  mail.from,
  mail.fromName,
  mail.replyTo?.email ?? null,
  mail.replyTo?.name ?? null,
  mail.preview,
  kind ?? null,
  mail.category,
  ...mail.events.flatMap(({ type, reason = null }) => [outcome(type), reason]),
  mail.mark ?? null,
  JSON.stringify(mail.customVariables ?? null),
  mail.text,
  mail.html,
  ...mail.links.map(({ url }) => url),
  ...mail.attachments.map(({ filename }) => filename),
  ...mail.headers.map(([name, value]) => `${name}: ${value}`),
];

/** The searched parts of a request. */
export const partsOfRequest = (request: ReportRequest): readonly (string | null)[] => [
  `${request.method} ${request.path}${request.query}`,
  request.operation,
  String(request.status),
  request.callId,
  request.pool,
  request.mark ?? null,
  request.email?.subject ?? null,
  ...(request.email?.to ?? []),
  ...request.reasons.map(({ field, message }) => `${field ?? ''} ${message}`),
  request.details?.body ?? null,
  request.details?.responseBody ?? null,
];

/** The values that a comparison passes over, for its readers. */
export const IGNORED =
  'Ids, tokens, dates, ports, events, addresses and values that vary are no change, nor is the number of emails.';

/** `1 value differs: 480113 → 733020` */
export const valuesText = (values: ReportKindChange['values']): string =>
  `${values.length} ${values.length === 1 ? 'value differs' : 'values differ'}: ${values
    .slice(0, 5)
    .map(([before, after]) => `${before} → ${after}`)
    .join(', ')}`;

/** `2 of 14 kinds changed, 1 new, 1 gone, 10 the same` */
export function headlineOf({
  kinds,
}: {
  readonly kinds: readonly Pick<ReportKindChange, 'state'>[];
}): string {
  const count = (state: ReportKindChange['state']) => kinds.filter((one) => one.state === state).length;
  const others = [
    [count('new'), 'new'],
    [count('gone'), 'gone'],
    [count('not_compared'), 'not compared'],
    [count('not_kept'), 'not kept'],
    [count('same'), 'the same'],
  ] as const;
  return [
    `${count('changed')} of ${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'} changed`,
    ...others.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`),
  ].join(', ');
}
