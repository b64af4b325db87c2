import { EmailPlatform } from 'email-platform';
import {
  type Emulator,
  connectEmulator,
  createEmulator,
  mailbox,
  type Mailbox,
} from 'email-platform/testing';
import { onTestFinished } from 'vitest';
import { InboxPoller } from '../../../src/testing/mailbox/sources/inbox-poller.ts';
import { inboxSource } from '../../../src/testing/mailbox/sources/inbox-source.ts';
import { mailboxOf } from '../../../src/testing/mailbox/mailbox.ts';
import { realTime } from '../../../src/kit/real-time.ts';

/** An email that a test sends. */
export interface Sent {
  to?: string;
  cc?: string[];
  bcc?: string[];
  from?: string;
  reply_to?: string;
  subject?: string;
  text?: string;
  html?: string;
  headers?: Record<string, string>;
  attachments?: { filename: string; content: string; type?: string }[];
}

/** A mailbox, and an application that sends to it. */
export interface Place {
  readonly box: Mailbox;
  readonly another: () => Mailbox;
  readonly send: (mail?: Sent) => Promise<void>;
  readonly emulator: ReturnType<typeof createEmulator>;
}

const appOn = (options: ConstructorParameters<typeof EmailPlatform>[0]) => {
  const app = new EmailPlatform(options);
  return async ({ to = 'ann@example.org', ...mail }: Sent = {}) => {
    await app.sending.send({ from: 'hello@mail.example.com', to, subject: 'Hello', text: 'Hi.', ...mail });
  };
};

/** A mailbox on an emulator in the process. */
export function inProcess(options: Emulator.Options = {}): Place {
  const emulator = createEmulator(options);
  const another = () => mailbox(emulator);
  return { emulator, another, box: another(), send: appOn(emulator.clientOptions()) };
}

/** A mailbox on an emulator over its port. */
export async function overPort(options: Emulator.Options = {}): Promise<Place> {
  const emulator = createEmulator(options);
  const server = await emulator.listen({ control: true });
  onTestFinished(() => server.close());
  const { url = '', token: controlToken = '' } = server.control ?? {};
  const another = () => mailbox(connectEmulator(url, { controlToken }));
  return { emulator, another, box: another(), send: appOn(server.clientOptions()) };
}

/** A mailbox on a test inbox, which another client sends to. */
export function onInbox(options: Emulator.Options = {}): Place {
  const emulator = createEmulator(options);
  const client = new EmailPlatform(emulator.clientOptions());
  // A poll every 20 ms.
  const sleep: typeof realTime.sleep = (ms, signal) => realTime.sleep(ms / 100, signal);
  const inbox = emulator.clientOptions().sandboxInboxId;
  const poller = new InboxPoller(inbox, { ...realTime, sleep });
  const another = () => mailboxOf(inboxSource(client, inbox, poller), 'example.org', realTime);
  return {
    emulator,
    another,
    box: another(),
    send: appOn({ ...emulator.clientOptions(), stream: 'sandbox', retry: false }),
  };
}

export const PLACES = [
  ['an emulator in the process', inProcess],
  ['an emulator over its port', overPort],
  ['a test inbox of a client', onInbox],
] as const;
