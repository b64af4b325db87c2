import type { Vite } from 'vitest/node';

/** The token of every emulator that a page may reach by its own origin. */
export const TOKEN = 'token-of-the-emulators';

/** Acts as a proxy on the page's own origin: `/same-origin/{port}/…` goes to the emulator on that port. */
export const sameOriginProxy: Vite.Plugin = {
  name: 'same-origin-proxy',
  configureServer(server) {
    const forward = async (url: string) => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
      return { status: answer.status, text: await answer.text() };
    };
    server.middlewares.use((request, response, next) => {
      const [, port, path] = /^\/same-origin\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
      if (port === undefined || path === undefined) {
        next();
        return;
      }
      forward(`http://127.0.0.1:${port}${path}`).then(({ status, text }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      }, next);
    });
  },
};
