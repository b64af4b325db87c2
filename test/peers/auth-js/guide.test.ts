import { expect } from 'vitest';
import { ambient } from '../../docs/ambient.ts';
import { testPeerSnippets } from '../../support/peer-snippets.ts';
import { Auth } from './peers.mjs';

/** Keeps nothing: for a sign-in link, Auth.js asks whether the user exists, and stores the token. */
const adapter = {
  getUserByEmail: () => null,
  createVerificationToken: (token: object) => token,
  useVerificationToken: () => null,
};

const ORIGIN = 'https://shop.example.com';

testPeerSnippets('auth-js', 1, undefined, async (module) => {
  const { signInByEmail } = module as { readonly signInByEmail: () => object };
  const config = {
    adapter,
    providers: [signInByEmail()],
    secret: 'a secret',
    trustHost: true,
    basePath: '/auth',
  };
  const csrf = await Auth(new Request(`${ORIGIN}/auth/csrf`), config);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookie = csrf.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const body = new URLSearchParams({ csrfToken, email: 'ann@example.org' });
  const request = new Request(`${ORIGIN}/auth/signin/nodemailer`, {
    method: 'POST',
    headers: { cookie },
    body,
  });
  const response = await Auth(request, config);
  expect(response.headers.get('location')).toContain('/auth/verify-request');
  expect(ambient.emulator().messages()).toMatchObject([
    {
      from: 'hello@mail.example.com',
      to: 'ann@example.org',
      text: expect.stringContaining('/auth/callback/nodemailer?') as string,
    },
  ]);
});
