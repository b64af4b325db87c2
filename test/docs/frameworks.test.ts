import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from './snippets.ts';

const [, code = ''] = /```ts\n([^]*?)```/.exec(readFileSync(`${root}docs/frameworks.md`, 'utf8')) ?? [];

test('The module of a route is imported without a token, and makes its client once, at the first call', async () => {
  for (const name of Object.keys(process.env))
    if (name.startsWith('EMAIL_PLATFORM')) vi.stubEnv(name, undefined);
  const folder = `${root}.tmp/frameworks/`;
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  // The handler alone: the lines after it call it.
  const [module = ''] = code.split("\nconst request = new Request('https://app.example.com/'");
  expect(module).not.toBe(code);
  writeFileSync(`${folder}route.ts`, `${module}\nexport { email };\n`);
  const route = (await import(/* @vite-ignore */ `${folder}route.ts`)) as {
    readonly POST: (request: Request) => Promise<Response>;
    readonly email: () => object;
  };
  const post = () =>
    route.POST(new Request('https://app.example.com/', { method: 'POST', body: '{"to":"ann@example.org"}' }));
  await expect(post()).rejects.toThrow(ConfigurationError);
  await expect(post()).rejects.toThrow(/token is required/);

  const emulator = createEmulator();
  const server = await emulator.listen();
  onTestFinished(() => server.close());
  const { hosts, token } = server.clientOptions();
  vi.stubEnv('EMAIL_PLATFORM_TOKEN', token);
  vi.stubEnv('EMAIL_PLATFORM_SEND_URL', hosts.send);
  expect((await post()).status).toBe(204);
  expect(route.email()).toBe(route.email());
  expect(emulator.messages()).toHaveLength(1);
});
