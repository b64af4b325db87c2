import type { EmulatorMessage } from '../../service/state/emails/outbox.ts';
import { fromBase64 } from '../../encoding/base64.ts';
import type { ConnectedEmulator } from '../../emulator/connect.ts';
import type { Emulator } from '../../emulator/controls/emulator-types.ts';
import type { NextEmails } from '../../service/state/emails/emulator-mail.ts';
import { ReceivedMail } from '../../reading/message/received-mail.ts';
import type { Arrival, MailSource, Report } from './source.ts';

/** The emails of an emulator, in this process or another one, without polling. */
export const emulatorSource = (emulator: Emulator | ConnectedEmulator, next: NextEmails): MailSource => ({
  name: 'the emulator',
  waitMs: 4_000,
  async follow({ to }, tell, signal) {
    for (let after = 0; !signal.aborted;) {
      const emails = await next({ after, to }, signal);
      emails.forEach((email) => tell(arrivalOf(email)));
      after = emails.at(-1)?.number ?? after;
    }
  },
  async look({ to }, tell) {
    const emails = await emulator.messages(to === undefined ? {} : { to });
    emails.forEach((email) => tell(arrivalOf(email)));
  },
  async report(): Promise<Report> {
    const [emails, requests] = await Promise.all([emulator.messages(), emulator.requests]);
    const refused = requests.filter(
      ({ method, path, status, host }) =>
        host !== 'api' && method === 'POST' && status === 429 && /^\/api\/(send|batch)(\/|$)/.test(path),
    );
    const notes =
      refused.length === 0
        ? []
        : [
            `${countOf(refused.length, 'request')} to send ${refused.length === 1 ? 'was' : 'were'} refused by a limit, with 429`,
          ];
    return { arrivals: emails.map(arrivalOf), notes };
  },
});

/** A count with its noun, such as `2 emails`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const arrivalOf = (email: EmulatorMessage): Arrival => ({
  key: email.number,
  to: [email.to],
  from: email.from,
  subject: email.subject,
  at: email.at,
  read: () => Promise.resolve(mailOf(email)),
});

function mailOf({
  id,
  from,
  fromName,
  recipients,
  reply_to,
  subject,
  at,
  text,
  html,
  headers,
  attachments,
  template,
}: EmulatorMessage): ReceivedMail {
  const { to, cc, toNames, ccNames } = recipients;
  const custom = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const date = new Date(at);
  return new ReceivedMail({
    id,
    from,
    fromName,
    to,
    toNames,
    cc,
    ccNames,
    reply_to,
    subject,
    template: template && {
      name: template.name,
      uuid: template.uuid,
      ...(template.locale !== undefined && { locale: template.locale }),
    },
    date,
    text,
    html,
    headers: {
      date: date.toUTCString(),
      from: named(from, fromName),
      ...(reply_to !== null && { 'reply-to': named(reply_to.email, reply_to.name) }),
      ...(to.length > 0 && { to: allNamed(to, toNames) }),
      ...(cc.length > 0 && { cc: allNamed(cc, ccNames) }),
      subject,
      ...(Object.fromEntries(custom) as Record<string, string>),
    },
    attachments: attachments.map((file) => ({ ...file, content: fromBase64(file.content) })),
  });
}

/** An address in a header, with its name as a person reads it: in quotation marks if it has special characters. */
function named(email: string, name: string | null): string {
  if (name === null || name === '') return email;
  return `${/[()<>[\]:;@\\,."]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name} <${email}>`;
}

const allNamed = (emails: readonly string[], names: readonly (string | null)[]) =>
  emails.map((email, index) => named(email, names[index] ?? null)).join(', ');
