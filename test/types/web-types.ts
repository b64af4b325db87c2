import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import type { Same } from './same.ts';

/** Where the compiler knows the types of the web, those of the package are the same ones. */
export async function known(signal: AbortSignal): Promise<unknown[]> {
  const client = new EmailPlatform({
    token: 'a-token',
    fetch,
    hosts: { api: new URL('https://api.example') },
  });
  const { response } = await client.campaigns.get(1, { signal }).withResponse();
  const headers: Same<typeof response.headers, Headers> = true;
  const file = await client.contacts.exports.download(1);
  const stream: Same<typeof file, ReadableStream<Uint8Array>> = true;
  const emulator = createEmulator();
  const sameFetch: Same<typeof emulator.fetch, typeof fetch> = true;
  const handled: Response = await emulator.handle(new Request('https://api.example'));
  const own: EmailPlatform.Fetch = (input, init) => fetch(input, init);
  const sent = client.sending.send({
    from: { email: 'hello@mail.example.com' },
    to: [{ email: 'ann@example.org' }],
    subject: 'Hello',
    text: 'Hello',
    attachments: [{ filename: 'a.txt', content: new Blob(['a']) }],
  });
  return [headers, stream, sameFetch, handled, own, sent];
}
