/** A command in a thread of its own: this process takes signals and keys, whatever that thread computes. */
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { Failure, messageOf } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/** The input of the thread. */
interface Given {
  readonly options: unknown;
  readonly isTerminal: Surroundings['isTerminal'];
  readonly hasKeys: boolean;
}

/** A request of the thread: to open an address, or to pass the keys on. */
type Wish = { readonly url: string } | 'keys';

/**
 * Runs a file in a thread, until that ends by itself or the program should end.
 *
 * @throws {@link Failure} with the message of the error that ended it
 */
export async function inThread(
  file: string,
  options: unknown,
  { isTerminal, keys, browse, ended }: Surroundings,
): Promise<void> {
  const given: Given = { options, isTerminal, hasKeys: keys !== undefined };
  const thread = new Worker(file, { workerData: given });
  thread.on('message', (wish: Wish) => {
    if (wish === 'keys') keys?.((key) => thread.postMessage(key));
    else browse?.(wish.url);
  });
  // It writes files in one step each, so that nothing is left half done.
  void ended.then(() => thread.terminate());
  await once(thread, 'exit').catch((error: unknown) => {
    throw new Failure(messageOf(error));
  });
}

/** The options of the command in this thread. */
export const optionsOfThread = (): unknown => (workerData as Given).options;

/** The surroundings of the command in this thread. */
export function surroundingsOfThread(): Surroundings {
  const { isTerminal, hasKeys } = workerData as Given;
  const ask = (wish: Wish) => parentPort?.postMessage(wish);
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    env: process.env,
    isTerminal,
    // The process ends the thread.
    ended: new Promise(() => undefined),
    browse: (url) => ask({ url }),
    keys: hasKeys
      ? (pressed) => {
          parentPort?.on('message', pressed);
          ask('keys');
        }
      : undefined,
  };
}
