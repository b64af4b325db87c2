/** A transporter of nodemailer that sends to an emulator. */
import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { emailPlatformTransport, type EmailPlatformTransportOptions } from 'email-platform/nodemailer';
import { createEmulator, type Emulator } from 'email-platform/testing';
import type { Message, Nodemailer } from './peers.mjs';

/** A message that is sent. */
export const mail = { from: 'hello@mail.example.com', to: 'ann@example.org', subject: 'Hi', text: 'Hi.' };

export function setUp(
  nodemailer: Nodemailer,
  given: {
    readonly client?: EmailPlatformOptions;
    readonly transport?: Omit<EmailPlatformTransportOptions, 'client'>;
    readonly defaults?: Message;
  } = {},
) {
  const emulator = createEmulator();
  const { fetch, ...options } = emulator.clientOptions();
  const bodies: unknown[] = [];
  const client = new EmailPlatform({
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'POST') bodies.push(await request.clone().json());
      return fetch(request);
    },
    ...given.client,
  });
  const transport = emailPlatformTransport({ client, ...given.transport });
  const transporter = nodemailer.createTransport(transport, given.defaults);
  return { emulator, client, transporter, bodies };
}

/** The requests that sent something. */
export const sent = (emulator: Emulator) => emulator.requests.filter(({ method }) => method === 'POST');
