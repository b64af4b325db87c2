import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';

/** Names no type of the web: compiles also where the compiler has neither the DOM's types nor those of Node. */
export async function anywhere(fetch: EmailPlatform.Fetch): Promise<unknown[]> {
  const client = new EmailPlatform({ token: 'a-token', fetch, hosts: { api: 'https://api.example' } });
  const { response } = await client.campaigns.get(1).withResponse();
  const id: string | null = response.headers.get('x-request-id');
  const file = await client.contacts.exports.download(1);
  const { value } = await file.getReader().read();
  const bytes: Uint8Array | undefined = value;
  const emulator = createEmulator();
  const answer = await emulator.fetch('https://api.example', { method: 'GET' });
  const own: EmailPlatform.Fetch = (input, init) => emulator.fetch(input, init);
  // @ts-expect-error it is true or false: these types are not `any`
  const has: string = response.headers.has('x-request-id');
  // @ts-expect-error it is true or false
  const locked: string = file.locked;
  // @ts-expect-error it is a number
  const status: string = answer.status;
  // @ts-expect-error not a signal
  const signal = client.campaigns.get(7, { signal: 7 });
  // @ts-expect-error not an address
  const hosts = client.withOptions({ hosts: { api: 7 } });
  return [id, bytes, own, has, locked, status, signal, hosts];
}
