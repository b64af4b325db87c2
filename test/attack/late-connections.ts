import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CERTIFICATE, KEY } from '../support/certificate.ts';

/** How the connections are made: directly, without or with TLS, or by the client of the guide, which has a proxy's agent. */
export type Way = 'tcp' | 'tls' | 'agent';

/** So often the kernel may report the connections before what stops the process. */
const TRIES = 5;

/**
 * Runs `test/runtimes/programs/late-connections.mjs`, again where connections stood before the process was stopped; `run` is
 * given its argument and its variables.
 */
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
  for (let tries = 0; tries < TRIES; tries += 1) {
    const printed = await run(argument, { NODE_EXTRA_CA_CERTS: file });
    const { early, seen } = JSON.parse(printed) as { readonly early: number; readonly seen: unknown };
    if (early === 0) return seen;
  }
  throw new Error(`In ${TRIES} tries the process was never stopped before its connections stood.`);
}

/** The process was stopped while they connected; each request ends as its limit says, and none arrives. */
export function noneArrived(way: Way): unknown {
  const bodies = way === 'tcp' ? ['text', 'empty'] : ['text', 'empty', 'blob'];
  const endings = { deadline: 'timeout unknown', attempt: 'timeout unknown', abort: 'aborted unknown' };
  const ended = Object.entries(endings).flatMap(([limit, ending]) =>
    bodies.map((body) => [`${limit}, ${body}: ${ending}`, 4] as const),
  );
  return { stopped: way === 'tcp' ? 1 : 2, ended: Object.fromEntries(ended), arrived: 0 };
}
