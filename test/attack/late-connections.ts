import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CERTIFICATE, KEY } from '../support/certificate.ts';

/** How the connections are made: directly, without or with TLS, or by the client of the guide, which has a proxy's agent. */
export type Way = 'tcp' | 'tls' | 'agent';

/** Runs `test/runtimes/programs/late-connections.mjs`; `run` is given its argument and its variables. */
export async function lateConnections(
  run: (argument: string, variables: NodeJS.ProcessEnv) => Promise<string>,
  way: Way,
  port?: number,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-late-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'certificate.pem');
  writeFileSync(file, CERTIFICATE);
  const argument = JSON.stringify({ way, key: KEY, cert: CERTIFICATE, port });
  return JSON.parse(await run(argument, { NODE_EXTRA_CA_CERTS: file })) as unknown;
}

const ENDINGS = { deadline: 'timeout none', attempt: 'timeout none', abort: 'aborted none' };

/** The clocks moved on while all of them connected; each request ends as its limit says, and none arrives. */
export const NONE_ARRIVED: unknown = {
  early: 0,
  haveStood: true,
  ended: Object.fromEntries(
    Object.entries(ENDINGS).flatMap(([limit, ending]) =>
      ['text', 'empty', 'blob'].map((body) => [`${limit}, ${body}: ${ending}`, 4] as const),
    ),
  ),
  arrived: 0,
};
