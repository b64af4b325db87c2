import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { CERTIFICATE_OF_ANOTHER_NAME, EXPIRED_CERTIFICATE } from '../support/certificate.ts';
import { connectProxy, refusing } from '../support/connect-proxy.ts';
import { closedPort, portWith, selfSignedPort } from '../support/sockets.ts';

const programs = inject('programs');
const https = (port: number) => `https://localhost:${port}`;
const unused = () => expect.unreachable('a request came through');

/** The command of the packed package with an emulator as its API; returns its exit code and its lines about hosts. */
async function doctor(node: string, variables: NodeJS.ProcessEnv) {
  const server = await createEmulator({ seed: 'empty' }).listen();
  onTestFinished(() => server.close());
  const { token, hosts } = server.clientOptions();
  const env = {
    ...process.env,
    EMAIL_PLATFORM_TOKEN: token,
    EMAIL_PLATFORM_API_URL: hosts.api,
    EMAIL_PLATFORM_SEND_URL: hosts.send,
    EMAIL_PLATFORM_BULK_URL: hosts.bulk,
    EMAIL_PLATFORM_SANDBOX_URL: hosts.sandbox,
    ...variables,
  };
  const command = ['--no-warnings', 'node_modules/email-platform/dist/cli/index.js', 'doctor'];
  return new Promise<{ code: unknown; lines: string[] }>((resolve) => {
    execFile(node, command, { cwd: programs, timeout: 80_000, env }, (error, stdout) => {
      // A line without a topic is the remedy of the line before.
      const found = stdout.match(/^. hosts .*$(\n +→ .*$)?/gm) ?? [];
      // The hosts of the test are on this machine, at free ports.
      const own = found.filter((line) => !line.includes('is this machine'));
      const lines = own
        .join('\n')
        .replace(/ \([\w.]+(:\d+)?\)$|; check the address .*$/gm, '')
        .split('\n');
      resolve({ code: error?.code ?? 0, lines: lines.map((line) => line.trim().replaceAll(/ {2,}/g, ' ')) });
    });
  });
}

for (const runtime of inject('runtimes')) {
  if (runtime.kind !== 'node' || !('path' in runtime)) continue;
  const { name, path } = runtime;

  describe(`email-platform doctor on ${name}`, () => {
    test('an unknown authority, a host without TLS, a closed port', async () => {
      const { code, lines } = await doctor(path, {
        EMAIL_PLATFORM_SEND_URL: https(await selfSignedPort(unused)),
        EMAIL_PLATFORM_BULK_URL: https(await portWith((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))),
        EMAIL_PLATFORM_SANDBOX_URL: https(await closedPort()),
      });
      expect({ code, lines }).toEqual({
        code: 1,
        lines: [
          'hosts api answer',
          '✗ hosts send: the certificate comes from an unknown authority',
          '→ a proxy may read the connection: NODE_EXTRA_CA_CERTS=/path/to/its-authority.pem',
          '! hosts bulk: the host does not speak TLS',
          '→ the address may need http:, or another port',
          '! hosts sandbox: the connection was refused',
          '→ nothing listens there: check the port, and start the emulator',
        ],
      });
    });

    test('a certificate for another name, an old one, a host that says nothing', async () => {
      const trusted = join(programs, `trusted-${name}.pem`);
      writeFileSync(trusted, CERTIFICATE_OF_ANOTHER_NAME + EXPIRED_CERTIFICATE);
      const { code, lines } = await doctor(path, {
        NODE_EXTRA_CA_CERTS: trusted,
        EMAIL_PLATFORM_SEND_URL: https(await selfSignedPort(unused, CERTIFICATE_OF_ANOTHER_NAME)),
        EMAIL_PLATFORM_BULK_URL: https(await selfSignedPort(unused, EXPIRED_CERTIFICATE)),
        EMAIL_PLATFORM_SANDBOX_URL: https(await portWith(() => undefined)),
      });
      expect({ code, lines }).toEqual({
        code: 1,
        lines: [
          'hosts api answer',
          '✗ hosts send: the certificate is for another name',
          '→ the host name is wrong: compare it with the service’s documentation',
          '! hosts bulk: the certificate is out of date',
          '→ set the clock of this machine, or ask who runs the host',
          '! hosts sandbox: no answer in time',
          '→ a firewall may block it; behind a proxy: NODE_USE_ENV_PROXY=1 and HTTPS_PROXY',
        ],
      });
    });

    // Node reads these variables from 22.21 on.
    test.skipIf(name.startsWith('Node 20'))('a proxy that refuses', async () => {
      const proxy = await connectProxy(refusing(403));
      onTestFinished(async () => {
        await proxy.close();
      });
      const { code, lines } = await doctor(path, {
        NODE_USE_ENV_PROXY: '1',
        HTTPS_PROXY: proxy.url,
        EMAIL_PLATFORM_SEND_URL: 'https://send.api.example.com',
      });
      expect({ code, lines }).toEqual({
        code: 1,
        lines: [
          'hosts api, bulk, sandbox answer',
          '✗ hosts send: a proxy refused the connection',
          '→ let the proxy (HTTPS_PROXY) pass the host, or name it in NO_PROXY',
        ],
      });
      expect(proxy.asked).toEqual(['send.api.example.com:443']);
    });
  });
}
