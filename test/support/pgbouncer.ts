/** PgBouncer for tests: a pooler that may give each statement another connection. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedPort } from './ports.ts';
import { findUser } from './postgres-server.ts';

export interface PgBouncer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const findProgram = () =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find(existsSync);

/** The reason why tests have no PgBouncer; undefined if they have it. */
export const missingPgBouncer = (): string | undefined =>
  findProgram() === undefined
    ? 'There is no PgBouncer on this machine: apt-get install -y pgbouncer'
    : undefined;

/** Starts a pooler before a server on this port, whose user is `test`. */
export async function startPgBouncer(serverPort: number): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await closedPort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${serverPort} dbname=postgres user=test
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = statement
default_pool_size = 4
`,
  );
  const pooler = spawn(findProgram() ?? '', ['-q', file], { ...findUser(), stdio: 'ignore' });
  const isThere = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => socket.destroy());
      socket.once('connect', () => socket.end());
    });
  while (!(await isThere())) {
    if (pooler.exitCode !== null) throw new Error('PgBouncer did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: `postgres://test@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const gone = once(pooler, 'exit');
      pooler.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
