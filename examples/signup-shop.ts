/** The application of `signup-mail.test.ts`: a small server that sends a mail, and confirms the address by its link. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmailPlatform } from 'email-platform';

/** Starts the shop. The caller's client decides where the mails go. */
export async function startShop(mailer: EmailPlatform) {
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
