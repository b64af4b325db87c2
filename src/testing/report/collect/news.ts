import { reasonsOf } from './reasons.ts';
import type { SeenMail, SeenRequest } from '../records/seen.ts';

/** An email that was accepted. */
export interface EmailNews {
  /** In milliseconds of real time. */
  readonly at: number;
  /** The number of the email in the report and on the page. */
  readonly id: number;
  readonly subject: string;
  readonly to: string;
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

export const newsOf = (seen: SeenMail | SeenRequest): News =>
  'copy' in seen ? newsOfMail(seen) : newsOfRequest(seen);

const newsOfMail = ({ at, number, copy }: SeenMail): EmailNews => ({
  at,
  id: number,
  subject: copy.mail.subject,
  to: copy.recipient.email,
});

function newsOfRequest({ at, entry, details, cause }: SeenRequest): RefusalNews {
  const { status, method, path } = entry;
  const [first] = reasonsOf(details?.responseBody ?? null, cause);
  const field = first?.field == null ? '' : `${first.field}: `;
  return { at, status, method, path, reason: first === undefined ? null : field + first.message };
}
