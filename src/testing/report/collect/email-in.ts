import type { ReportRequest } from '../data/data.ts';

/** The most recipients of one request, and the most characters of a text. */
const [MOST, LONGEST] = [100, 1_000];

type Fields = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The email in the body of a request to send one, or a batch; `undefined` in any other body. */
export function emailIn(body: string | null): ReportRequest['email'] {
  const sent = parsed(body);
  if (!isRecord(sent)) return undefined;
  const requests = Array.isArray(sent.requests) ? sent.requests.filter(isRecord) : [];
  const emails = [sent, ...requests].filter((one) => 'to' in one);
  if (emails.length === 0) return undefined;
  const base = isRecord(sent.base) ? sent.base : {};
  const [subject] = [sent, base, ...requests].flatMap((one) => textsIn(one.subject));
  return { to: emails.flatMap(({ to }) => addressesIn(to)).slice(0, MOST), subject: subject ?? null };
}

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

const textsIn = (given: unknown) => (typeof given === 'string' ? [given.slice(0, LONGEST)] : []);

/** The addresses of recipients, as a program may write them: also one without a list, or without an object. */
const addressesIn = (to: unknown): string[] =>
  [to].flat().flatMap((one: unknown) => textsIn(isRecord(one) ? one.email : one));
