/** The server of the example: it delivers the page, identifies visitors, and gives them access to a part of the service. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { EmailPlatform } from 'email-platform';
import { createProxy, toNodeListener, type OperationPattern } from 'email-platform/proxy';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { build } from 'esbuild';

/** The operations that the page needs. */
const ALLOWED: readonly OperationPattern[] = [
  'campaigns.list',
  'campaigns.get',
  'campaigns.stats',
  'campaigns.update',
  'sending.send',
  'sandbox.messages.list',
  'sandbox.messages.html', // not JSON, so it has to be named in full
];

const file = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url));

/** The bundled script and style of the page. */
async function bundled(): Promise<{ readonly script: string; readonly style: string }> {
  const { outputFiles } = await build({
    entryPoints: [file('main.tsx')],
    bundle: true,
    minify: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

/** The policy of the page: it loads nothing from other origins. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** A running example. */
export interface RunningExample {
  readonly url: string;
  /** The emulated service, so that tests can add faults. */
  readonly emulator: Emulator;
  /** The token, which must not reach a page. */
  readonly token: string;
  close(): Promise<void>;
}

/** Starts the example on a port of this machine. */
export async function startExample({ port = 0 } = {}): Promise<RunningExample> {
  const emulator = createEmulator({ seed: 'demo' });
  const options = emulator.clientOptions();
  // Less than the ten seconds after which the page gives up, so that it receives the outcome of its request.
  const client = new EmailPlatform({ ...options, deadlineMs: 8_000 });
  const { script, style } = await bundled();
  const page = readFileSync(file('index.html'), 'utf8').replace('{{inbox}}', String(options.sandboxInboxId));

  // Every browser that opens the page gets a session here. In your application, log people in at this point.
  const sessions = new Set<string>();
  const sessionOf = (cookie: string | null | undefined) => /(?:^|; )session=([\w-]+)/.exec(cookie ?? '')?.[1];

  const proxy = createProxy({
    client,
    basePath: '/email',
    allow: ALLOWED,
    authorize: (request, operation, { host, params }) => {
      const session = sessionOf(request.headers.get('cookie'));
      if (session === undefined || !sessions.has(session)) return new Response(null, { status: 401 });
      // Test mails only, and only into this inbox.
      if (operation === 'sending.send' && host !== 'sandbox') return false;
      const { inbox = options.sandboxInboxId, sandbox_inbox_id = inbox } = params;
      return inbox === options.sandboxInboxId && sandbox_inbox_id === inbox && { visitor: session };
    },
    onRefused: ({ reason, operation, request }) => {
      console.warn(`refused (${reason}): ${request.method} ${operation ?? new URL(request.url).pathname}`);
    },
  });
  const listener = toNodeListener(proxy);

  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/email/')) {
      listener(request, response);
      return;
    }
    const send = (type: string, body: string) =>
      response.writeHead(200, { ...PAGE_HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
    if (pathname === '/main.js') send('text/javascript', script);
    else if (pathname === '/main.css') send('text/css', style);
    else if (pathname === '/') {
      const session = randomUUID();
      if (!sessions.has(sessionOf(request.headers.cookie) ?? '')) {
        sessions.add(session);
        response.setHeader('set-cookie', `session=${session}; HttpOnly; SameSite=Strict; Path=/`);
      }
      send('text/html', page);
    } else response.writeHead(404).end();
  };

  const server = createServer(respond).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    emulator,
    token: options.token,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
