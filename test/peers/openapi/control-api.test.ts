import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmulator } from 'email-platform/testing';
import { expect, onTestFinished, test } from 'vitest';

/** The problems that the linter finds in a document. */
async function lint(document: unknown): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  const redocly = join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js');
  const args = [redocly, 'lint', 'openapi.json', '--extends=recommended-strict', '--format=json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const stdout = await new Promise<string>((resolve) => {
    // It exits with an error if there are problems.
    execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (_, text) => resolve(text));
  });
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  );
}

test('the OpenAPI document of the control API passes a public linter, with its strictest rules', async () => {
  const server = await createEmulator().listen({ control: true });
  onTestFinished(() => server.close());
  const response = await fetch(`${server.control?.url ?? ''}/openapi.json`, {
    headers: { authorization: `Bearer ${server.control?.token ?? ''}` },
  });
  const document = (await response.json()) as { openapi: string; paths: Record<string, object> };
  expect(document.openapi).toMatch(/^3\.1\./);
  // Rules about a public service: this one is at this machine.
  const [known, problems] = [['no-server-example.com', 'operation-4xx-response'], await lint(document)];
  expect(problems.filter((problem) => !known.some((rule) => problem.startsWith(`${rule}:`)))).toEqual([]);

  const { '/health': health, ...paths } = document.paths;
  const broken = { ...document, paths: { ...paths, '/health': { ...health, got: {} } } };
  expect((await lint(broken)).length).toBeGreaterThan(0);
});
