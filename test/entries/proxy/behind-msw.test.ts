import { createServer } from 'node:http';
import { EmailPlatform, EmailPlatformError } from 'email-platform';
import { toNodeListener } from 'email-platform/proxy';
import { createEmulator } from 'email-platform/testing';
import { handlers } from 'email-platform/testing/msw';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { CALLS } from '../../support/calls/calls.ts';
import { isFull } from '../../support/extent.ts';
import { listen } from '../../support/ports.ts';
import { BASE_PATH, pageClient, proxyOf } from './harness.ts';

const HOSTS = {
  api: 'https://api.service.test/v1',
  send: 'https://send.service.test',
  bulk: 'https://bulk.service.test',
  sandbox: 'https://sandbox.service.test',
};
const given = { text: 'x', url: 'https://service.test' };

/**
 * Calls of one request: what waits for a state would wait for ever here, and `request` has no operation. In full all of
 * them; otherwise a third, with an email to each host and the only PUT, because Mock Service Worker sees only hosts and
 * addresses. `every-method.test.ts` has all.
 */
const calls = CALLS.filter(
  ({ name, isSigned }) => isSigned !== true && !/^request|wait|download|batchAll|ensure/i.test(name),
).filter(({ name }, index) => isFull || index % 3 === 0 || /^sending\.send|updateAll/.test(name));

/** The outcome of a call, without times and ids, which differ between emulators. */
const endOf = (call: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(call).then(
    (result) => typeof result,
    (error: unknown) =>
      error instanceof EmailPlatformError ? `${error.message}, effect ${error.effect}` : String(error),
  );

test('behind Mock Service Worker the proxy does what the client does by itself, once', async () => {
  const emulator = createEmulator();
  const itself = createEmulator();
  const msw = setupServer(...handlers(emulator, { hosts: HOSTS }));
  msw.listen({ onUnhandledRequest: 'bypass' });
  const common = { sandboxInboxId: 9, throttle: false, retry: false } as const;
  const { token, accountId } = emulator.clientOptions();
  const { proxy, failures } = proxyOf(new EmailPlatform({ ...common, token, accountId, hosts: HOSTS }));
  const server = createServer(toNodeListener(proxy));
  try {
    const { port } = await listen(server);
    const at = `http://127.0.0.1:${port}${BASE_PATH}`;
    const page = pageClient(proxy, {
      hosts: { api: `${at}/api`, send: `${at}/send`, bulk: `${at}/bulk`, sandbox: `${at}/sandbox` },
      fetch: (input, init) => {
        const request = new Request(input, init);
        request.headers.set('sec-fetch-site', 'same-origin');
        return fetch(request);
      },
    });
    const client = new EmailPlatform({ ...itself.clientOptions(), ...common });
    for (const { name, run } of calls) {
      const expected = await endOf(run(client, {}, given));
      expect({ name, end: await endOf(run(page, {}, given)) }).toEqual({ name, end: expected });
    }
    const paths = ({ requests }: typeof emulator) =>
      requests.map(({ method, host, path, status }) => `${method} ${host} ${path} ${status}`);
    expect(paths(emulator)).toEqual(paths(itself));
    expect(paths(emulator).length).toBeGreaterThan(isFull ? 130 : 43);
    expect(new Set(emulator.requests.map(({ host }) => host))).toEqual(new Set(Object.keys(HOSTS)));
    const verbs = new Set(emulator.requests.map(({ method }) => method));
    expect([...verbs].sort()).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
    expect(emulator.messages()).toHaveLength(itself.messages().length);
    expect(failures).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
    msw.close();
  }
});
