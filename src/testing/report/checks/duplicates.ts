import { grouped } from '../../../kit/grouped.ts';
import type { ReportMail } from '../data/data.ts';
import { READER_LINKS } from '../../service/state/emails/reader-links.ts';

/** Equal mails. */
export interface Duplicate {
  readonly mail: ReportMail;
  readonly message: string;
  readonly ids: readonly string[];
}

/** Equal mails with more time between them, such as reminders, were meant. */
const WITHIN_MS = 24 * 3_600_000;

/** Equal mails to one person between two resets, within a day of the emulator's clock. */
export function duplicates(
  mails: readonly ReportMail[],
  eraOf: (id: string) => number | undefined,
): Duplicate[] {
  const sameOf = ({ id, to, from, subject, html, text, attachments }: ReportMail) => {
    const files = attachments.map(({ filename, bytes }) => [filename, bytes]);
    const bodies = [html, text].map((body) => body?.replace(READER_LINKS, '') ?? null);
    return [JSON.stringify([eraOf(id), to.toLowerCase(), from, subject, ...bodies, files])];
  };
  return [...grouped(mails, sameOf).values()].flatMap((group) => {
    const near = group.filter((one) =>
      group.some((other) => other !== one && Math.abs(other.clockAt - one.clockAt) <= WITHIN_MS),
    );
    const [mail] = near;
    if (mail === undefined) return [];
    const times = near.length === 2 ? 'twice' : `${near.length} times`;
    return [
      {
        mail,
        message: `${mail.to} got the same email ${times} between two resets`,
        ids: near.map(({ id }) => id),
      },
    ];
  });
}
