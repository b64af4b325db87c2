import { jsonOf } from '../../../kit/json-of.ts';
import { isObject } from '../../declare/kind.ts';
import type { ReportRequest } from '../data/data.ts';

/** The most recipients of one request, and the most characters of a text. */
const [MOST, LONGEST] = [100, 1_000];

/** The email in the body of a request to send one, or a batch; `undefined` in any other body. */
export function emailIn(body: string | null): ReportRequest['email'] {
  const sent = jsonOf(body ?? '');
  if (!isObject(sent)) return undefined;
  const requests = Array.isArray(sent.requests) ? sent.requests.filter(isObject) : [];
  const emails = [sent, ...requests].filter((one) => 'to' in one);
  if (emails.length === 0) return undefined;
  const base = isObject(sent.base) ? sent.base : {};
  const [subject] = [sent, base, ...requests].flatMap((one) => textsIn(one.subject));
  return { to: emails.flatMap(({ to }) => addressesIn(to)).slice(0, MOST), subject: subject ?? null };
}

const textsIn = (given: unknown) => (typeof given === 'string' ? [given.slice(0, LONGEST)] : []);

/** The addresses of recipients, as a program may write them: also one without a list, or without an object. */
const addressesIn = (to: unknown): string[] =>
  [to].flat().flatMap((one: unknown) => textsIn(isObject(one) ? one.email : one));
