/** Receivers in processes of their own, which are killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from '../../../support/programs.ts';
import { plainEnv } from '../../../support/redis/workers.ts';
import type { ReceiverOrder } from './programs/receiver.ts';
import type { Receiver, Recorded } from './receivers.ts';

/** A receiver in a process of its own. */
export interface ReceiverProcess extends Receiver {
  recorded(): AsyncGenerator<Recorded>;
}

/** Starts a receiver with a version of Node. */
export async function startReceiver(node: string, order: ReceiverOrder): Promise<ReceiverProcess> {
  const file = bundledProgram(fileURLToPath(new URL('programs/receiver.ts', import.meta.url)));
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  const program = fork(file, { execPath: node, execArgv, env: plainEnv() });
  program.send(order);
  const [{ port }] = (await once(program, 'message')) as [{ readonly port: number }];
  const url = `http://127.0.0.1:${port}/`;
  return {
    async post(request) {
      const body = await request.text();
      return fetch(url, { method: 'POST', headers: [...request.headers], body });
    },
    kill: () => void program.kill('SIGKILL'),
    async *recorded() {
      const response = await fetch(url);
      for (const line of (await response.text()).split('\n').filter((one) => one !== ''))
        yield JSON.parse(line) as Recorded;
    },
  };
}
