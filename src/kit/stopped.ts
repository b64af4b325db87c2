/**
 * Finds functions of Node that fake timers have replaced, and that no longer run. Node's own `fetch` and its bodies call
 * them by their global names, and would wait for ever, or read one text without end.
 */

type Run = (callback: () => void) => void;

interface Globals {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    readonly getBuiltinModule?: (name: string) => unknown;
  };
  readonly Bun?: unknown;
  readonly Deno?: unknown;
}

const globals = (): Globals => globalThis;

/** Bun and Deno also report Node. */
function isNode(): boolean {
  const { process, Bun, Deno } = globals();
  return process?.versions?.node !== undefined && Bun === undefined && Deno === undefined;
}

/** A module of Node, without importing it; undefined if the runtime lacks it. Bun, Deno and workerd have some. */
export function builtin(name: string): unknown {
  try {
    return globals().process?.getBuiltinModule?.(name);
  } catch {
    // Next's edge runtime has the function, which throws; Deno may not permit to read `process`.
    return undefined;
  }
}

/** Node's `process`: a test runner may show its tests a copy, whose functions Node does not call. */
const nextTick = () => (builtin('node:process') as { readonly nextTick?: Run } | undefined)?.nextTick;

/** Whether the text of a function differs from that of Node's own: an instrumentation may have wrapped it, too. */
export const differs = (run: object | undefined, text: RegExp): boolean =>
  run !== undefined && !text.test(Function.prototype.toString.call(run));

const mayBodiesStop = () => isNode() && differs(globalThis.queueMicrotask, /AsyncResource/);

/** Whether a body that Node made of a text ends. It has one chunk, and closes itself by `queueMicrotask`. */
async function bodiesEnd(): Promise<boolean> {
  if (typeof Response === 'undefined') return true;
  const reader = new Response('.').body?.getReader();
  await reader?.read();
  return (await reader?.read())?.done !== false;
}

/** Calls back in a later turn of Node's event loop, by a message: fake timers do not replace messages. */
export function afterMessage(callback: () => void): void {
  const { MessageChannel: Channel } = builtin('node:worker_threads') as typeof globalThis;
  const { port1, port2 } = new Channel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
}

const runs = (run: Run): Promise<boolean> =>
  new Promise((resolve) => {
    run(() => resolve(true));
    afterMessage(() => resolve(false));
  });

/**
 * The names of the functions that were replaced and do not run, for a message; undefined if all run, or outside of Node.
 * Without a promise if none was replaced, because every request asks.
 */
export function stopped(): Promise<string | undefined> | undefined {
  const tick = nextTick();
  const maybeTick = isNode() && differs(tick, /setHasTickScheduled/);
  if (!maybeTick && !mayBodiesStop()) return undefined;
  return (async () => {
    const isTickStopped = tick !== undefined && maybeTick && !(await runs(tick));
    const names = [await stoppedBodies(), isTickStopped ? 'process.nextTick' : undefined];
    return names.filter(Boolean).join(' and ') || undefined;
  })();
}

/** The name of the function by which a body ends, if it does not run. */
export async function stoppedBodies(): Promise<string | undefined> {
  return mayBodiesStop() && !(await bodiesEnd()) ? 'queueMicrotask' : undefined;
}

/** The message for functions that do not run. */
export const ofStopped = (names: string): string =>
  `fake timers have replaced ${names}, without which Node's fetch and its bodies never end: fake less, as in sinon.useFakeTimers({ toFake: ['setTimeout', 'Date'] })`;
