/** A program that catches no error: its first argument says which. */
import { EmailPlatform } from '../../src/index.ts';

const hosts = { api: 'https://api.test' };
if (process.argv[2] === 'option') new EmailPlatform({ token: '', hosts });
else {
  const fetch = () => Promise.resolve(new Response('{"error":"Not Found"}', { status: 404 }));
  await new EmailPlatform({ token: 'token', hosts, fetch }).campaigns.get(7);
}
