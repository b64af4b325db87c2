import { EmailPlatform } from 'email-platform';
import {
  type Emulator,
  connectEmulator,
  createEmulator,
  mailbox,
  type Mailbox,
  type MailboxMail,
  type MailCode,
  type MailLink,
} from 'email-platform/testing';
import type { Same } from './same.ts';

const controlToken = 'ctl_0123456789abcdef';

/** On an emulator, in this process or another, and on a client. */
export async function right(message: Emulator.Message): Promise<unknown> {
  const boxes: Mailbox[] = [
    mailbox(createEmulator()),
    mailbox(connectEmulator('http://127.0.0.1:4010', { controlToken }), { domain: 'example.com' }),
    mailbox(new EmailPlatform(), { inbox: 2001, domain: 'example.com' }),
  ];
  const [box] = boxes;
  if (box === undefined) return undefined;
  const { signal } = new AbortController();
  const mail = await box.waitFor({ to: box.address('ann'), subject: /x/, after: new Date(), signal });
  await box.waitFor();
  await box.none({ from: 'a@b.test', subject: 'x', after: 0, withinMs: 1 });
  const url = mail.link(({ text }) => text === 'x');
  const code = mail.code(/x/);
  const inbox = new EmailPlatform().sandboxInboxId;
  const types: [
    Same<typeof mail, MailboxMail>,
    Same<typeof url, string>,
    Same<typeof code, string>,
    Same<typeof inbox, number | undefined>,
    Same<typeof message.links, readonly MailLink[]>,
    Same<typeof message.codes, readonly MailCode[]>,
  ] = [true, true, true, true, true, true];
  return [types, mail.link('x'), mail.link(/x/), mail.code()];
}

export async function wrong(box: Mailbox, mail: MailboxMail): Promise<unknown> {
  // @ts-expect-error an emulator has no inbox to choose
  mailbox(createEmulator(), { inbox: 2001 });
  // @ts-expect-error neither an emulator nor a client
  mailbox({});
  // @ts-expect-error no such field
  await box.waitFor({ too: 'ann@example.org' });
  // @ts-expect-error the time is required
  await box.none({ to: 'ann@example.org' });
  // @ts-expect-error a date is no text
  await box.waitFor({ after: '2026-01-01' });
  // @ts-expect-error a link is meant
  mail.link();
  // @ts-expect-error no pattern
  mail.code('123456');
  // @ts-expect-error an email cannot be changed
  mail.subject = 'x';
  return undefined;
}
