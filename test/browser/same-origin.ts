import type { Vite } from 'vitest/node';

interface Testing {
  readonly createEmulator: () => { clientOptions(): { readonly token: string } };
}

/** Acts as a proxy on the page's own origin: `/same-origin/{port}/…` goes to the emulator on that port. */
export const sameOriginProxy: Vite.Plugin = {
  name: 'same-origin-proxy',
  configureServer(server) {
    const forward = async (url: string) => {
      const { createEmulator } = (await server.ssrLoadModule('/src/testing/index.ts')) as unknown as Testing;
      // Every emulator has the same token, so a new one has the right one.
      const { token } = createEmulator().clientOptions();
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
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
