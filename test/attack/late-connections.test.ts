import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundledProgram } from '../support/programs.ts';
import { lateConnections, NONE_ARRIVED } from './late-connections.ts';

const program = fileURLToPath(new URL('../runtimes/programs/late-connections.mjs', import.meta.url));

test.each(['tcp', 'tls'] as const)(
  'nothing is written to a connection that stands only after deadline, timeout or abort: %s',
  async (way) => {
    const seen = await lateConnections(async (argument, variables) => {
      // The client of the guide is for the way through an agent, which test/runtimes has.
      const args = [bundledProgram(program, ['./guide-client.mjs']), argument];
      const env = { ...process.env, ...variables };
      return (await promisify(execFile)(process.execPath, args, { timeout: 50_000, env })).stdout;
    }, way);
    expect(seen).toEqual(NONE_ARRIVED);
  },
);
