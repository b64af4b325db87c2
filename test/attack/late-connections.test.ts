import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lateConnections, NONE_ARRIVED } from './late-connections.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

test.each(['tcp', 'tls'] as const)(
  'nothing is written to a connection that stands only after deadline, timeout or abort: %s',
  async (way) => {
    const seen = await lateConnections(async (argument, variables) => {
      const program = path('test/runtimes/programs/late-connections.mjs');
      const args = [path('node_modules/tsx/dist/cli.mjs'), program, argument];
      const env = { ...process.env, ...variables };
      return (await promisify(execFile)(process.execPath, args, { timeout: 50_000, env })).stdout;
    }, way);
    expect(seen).toEqual(NONE_ARRIVED);
  },
);
