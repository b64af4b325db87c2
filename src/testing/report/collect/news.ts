import { reasonsOf } from './reasons.ts';
import type { SeenMail, SeenRequest } from '../records/seen.ts';

/** The first email of a call. */
export interface EmailNews {
  /** In milliseconds of real time. */
  readonly at: number;
  /** The number of the email in the report and on the page. */
  readonly id: number;
  readonly subject: string;
  readonly to: string;
  /** The number of the other emails of the call. */
  readonly more: number;
}

/** A request that was refused. */
export interface RefusalNews {
  readonly at: number;
  readonly status: number | null;
  readonly method: string;
  readonly path: string;
  /** The first reason, after its field; `null` if the response has none. */
  readonly reason: string | null;
}

export type News = EmailNews | RefusalNews;

export const newsOf = (seen: SeenMail | SeenRequest, more: number): News =>
  'copy' in seen ? newsOfMail(seen, more) : newsOfRequest(seen);

const newsOfMail = ({ at, number, copy }: SeenMail, more: number): EmailNews => ({
  at,
  id: number,
  subject: copy.mail.subject,
  to: copy.recipient.email,
  more,
});

function newsOfRequest({ at, entry, details, cause }: SeenRequest): RefusalNews {
  const { status, method, path } = entry;
  const [first] = reasonsOf(details?.responseBody ?? null, cause);
  const field = first?.field == null ? '' : `${first.field}: `;
  return { at, status, method, path, reason: first === undefined ? null : field + first.message };
}
