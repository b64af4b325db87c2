/**
 * An end-to-end test: it signs up at an application, waits for the mail, reads the link out of its HTML, and follows it.
 * The application is a small server that sends its mail to a test inbox. Copy it into your tests; with the token, the
 * account and the inbox of your own sandbox in place of the emulator's, it runs against the service.
 *
 *     npx vitest run examples/signup-mail.test.ts
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterAll, expect, test } from 'vitest';

const options = createEmulator().clientOptions();

/** The application: it only knows that it sends mails, not where they go. */
async function startShop(mailer: EmailPlatform) {
  const pending = new Map<string, string>();
  const confirmed = new Set<string>();

  const signUp = async (email: string, origin: string) => {
    const code = crypto.randomUUID();
    pending.set(code, email);
    await mailer.sending.send({
      from: { email: 'hello@mail.example.com', name: 'The shop' },
      to: [{ email }],
      subject: 'Confirm your address',
      text: `Confirm: ${origin}/confirm?code=${code}&lang=en`,
      html: `<p>Welcome! <a href="${origin}/confirm?code=${code}&amp;lang=en">Confirm your address</a></p>`,
    });
    return 202;
  };
  const confirm = (code: string) => {
    const email = pending.get(code);
    if (email === undefined) return 404;
    confirmed.add(email);
    return 200;
  };

  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host ?? ''}`;
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const respond = async () => {
      if (pathname === '/signup') return signUp(searchParams.get('email') ?? '', origin);
      return pathname === '/confirm' ? confirm(searchParams.get('code') ?? '') : 404;
    };
    respond().then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, confirmed, close: () => server.close() };
}

// The same options for both; with this stream, the application's mails are captured by the test inbox.
const shop = await startShop(new EmailPlatform({ ...options, stream: 'sandbox' }));
const { sandbox } = new EmailPlatform(options);
const inbox = options.sandboxInboxId;

afterAll(() => {
  shop.close();
});

test('who signs up gets a mail with a link that confirms the address', async () => {
  // An address of its own: no other test, and no earlier run, gets mail there.
  const email = `ann+${crypto.randomUUID()}@example.org`;

  const signedUp = await fetch(`${shop.url}/signup?email=${encodeURIComponent(email)}`, { method: 'POST' });
  expect(signedUp.status).toBe(202);
  expect(shop.confirmed).not.toContain(email);

  const { id, from_name, subject } = await sandbox.messages.waitFor(
    { inbox, to: email },
    { deadlineMs: 4_000, pollMs: 500 },
  );
  expect([from_name, subject]).toEqual(['The shop', 'Confirm your address']);

  const html = await sandbox.messages.html(inbox, id);
  const link = /href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(await sandbox.messages.text(inbox, id)).toContain(link);

  const followed = await fetch(link);
  expect(followed.status).toBe(200);
  expect(shop.confirmed).toContain(email);
});
