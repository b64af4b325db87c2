/** Detects the runtime and its features. Nothing else but `kit/stopped.ts` reads the globals of a page, a worker or a server. */
import { afterMessage, builtin, differs } from '../kit/stopped.ts';
import { tried } from './tried.ts';

interface Globals {
  readonly window?: { readonly document?: unknown };
  readonly importScripts?: unknown;
  readonly location?: { readonly href: string; readonly origin: string };
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: {
    readonly getBuiltinModule?: (name: string) => unknown;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
  };
  readonly Bun?: unknown;
  readonly Deno?: { readonly permissions?: { querySync(about: object): { readonly state: string } } };
}

const globals = (): Globals => globalThis;

/** The result of `read` for `process`; undefined if this runtime has none, or does not permit it. */
const ofProcess = <T>(read: (process: Globals['process']) => T): T | undefined =>
  tried(() => read(globals().process));

/** Whether this is workerd, the runtime of Cloudflare Workers. */
export const isWorkerd = (): boolean => globals().navigator?.userAgent === 'Cloudflare-Workers';

/** Whether this is a page or a web worker: its visitors can read the code's secrets, and it cannot set `User-Agent`. */
export function isBrowser(): boolean {
  const { window, importScripts } = globals();
  // workerd had importScripts until 2024.
  return !isWorkerd() && (window?.document ?? importScripts) !== undefined;
}

/** Whether the runtime is Node or reports itself as Node, also around an emulated page. */
export const hasNode = (): boolean => globals().process?.versions?.node !== undefined;

/** The runtime, if its `fetch` may send a request again by itself. Bun and Deno also report Node. */
export function repeatingRuntime(): 'node' | 'bun' | 'deno' | undefined {
  const { Bun, Deno } = globals();
  if (isBrowser() || isWorkerd()) return undefined;
  if (Bun !== undefined) return 'bun';
  if (Deno !== undefined) return 'deno';
  return hasNode() ? 'node' : undefined;
}

export { builtin as builtinModule };

type SetImmediate = (callback: () => void) => unknown;

/**
 * Node's `setImmediate`, also in Bun and Deno. Taken at import, because fake timers replace it in the module too, and
 * their clock may stand still.
 */
const immediate = (builtin('node:timers') as { setImmediate?: SetImmediate } | undefined)?.setImmediate;

/** Whether timers were faked before the import. Sinon's, in Vitest and Jest, have a clock; Node's are bound. */
const isFaked = (timer: SetImmediate): boolean =>
  Object.hasOwn(timer, 'clock') || timer.name.startsWith('bound ');

/** Whether something else than fake timers was put in the place of Node's own before the import: it may never call back. */
const isUnknown = (timer: SetImmediate): boolean =>
  repeatingRuntime() === 'node' && differs(timer, /new Immediate\(/);

/**
 * Calls back after two turns of the event loop, at once where there is none to wait for. A process that was held up has
 * not read its sockets meanwhile: a response that has arrived, or the end of a connection. The first turn may be half
 * over, behind the reading.
 */
export function afterTwoTurns(callback: () => void): void {
  if (immediate === undefined || isFaked(immediate)) callback();
  else if (isUnknown(immediate)) afterMessage(() => afterMessage(callback));
  else immediate(() => immediate(callback));
}

interface AsyncHooks {
  readonly AsyncLocalStorage?: { readonly snapshot?: () => InContext };
}

/** Runs a function in an async context, such as that of a request to an application. */
export type InContext = <T>(run: () => T) => T;

/** The async context of the caller, for work that starts later. A runtime without one has that of the start. */
export const asyncContext = (): InContext =>
  (builtin('node:async_hooks') as AsyncHooks | undefined)?.AsyncLocalStorage?.snapshot?.() ??
  ((run) => run());

/** The page's address, in a browser. */
export const pageAddress = () => (isBrowser() ? globals().location : undefined);

/** An environment variable. Undefined without an environment, or without permission to read it (Deno). */
export const rawVariable = (name: string): string | undefined => ofProcess((process) => process?.env?.[name]);

/** An environment variable; an empty one counts as unset. */
export function environmentVariable(name: string): string | undefined {
  const value = rawVariable(name);
  return value === '' ? undefined : value;
}

/** Whether an environment variable may be read, or all of them: Deno has a permission for each. */
export function mayRead(variable?: string): boolean {
  const what = { name: 'env', ...(variable !== undefined && { variable }) };
  const { state = 'granted' } = globals().Deno?.permissions?.querySync(what) ?? {};
  return state === 'granted';
}

/** The names of all environment variables; empty without an environment, or if Deno would prompt for permission. */
export const variableNames = (): readonly string[] =>
  (mayRead() ? ofProcess((process) => Object.keys(process?.env ?? {})) : undefined) ?? [];
