import { tried } from '../core/tried.ts';
import { isWorkerd } from '../core/runtime.ts';
import type { DiagnosticsChannel } from '../transport/channels.ts';

/** Where this code runs, as far as it matters, detected by the globals of a page, a worker or a server. */

interface Globals {
  readonly window?: { readonly document?: unknown };
  readonly importScripts?: unknown;
  readonly location?: { readonly href: string; readonly origin: string };
  readonly process?: {
    readonly getBuiltinModule?: (name: string) => unknown;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
  };
  readonly Bun?: unknown;
  readonly Deno?: unknown;
}

const globals = (): Globals => globalThis;

/**
 * Whether this is a page or a web worker: there, anyone can read the code's secrets, and `User-Agent` cannot be set.
 */
export function isBrowser(): boolean {
  const { window, importScripts } = globals();
  // workerd had importScripts until 2024.
  return !isWorkerd() && (window?.document ?? importScripts) !== undefined;
}

/** Whether there is Node, or something that says so: around an emulated page, too. */
export const hasNode = (): boolean => globals().process?.versions?.node !== undefined;

/** The runtime, if its `fetch` may send a request again by itself. Bun and Deno say that they are Node, too. */
export function repeatingRuntime(): 'node' | 'bun' | 'deno' | undefined {
  const { Bun, Deno } = globals();
  if (isBrowser() || isWorkerd()) return undefined;
  if (Bun !== undefined) return 'bun';
  if (Deno !== undefined) return 'deno';
  return hasNode() ? 'node' : undefined;
}

/**
 * Whether this runtime's `fetch` misses it when a compressed body breaks off, although it can ask for an uncompressed
 * one: Node's decompresses what there is, and Deno's leaves it compressed. That of Bun and of Workers fails. A browser
 * misses it too, but decides by itself how a body is compressed.
 */
export const missesCuts = (): boolean => ['node', 'deno'].includes(repeatingRuntime() ?? '');

/** The module of Node that others listen to, without importing it: there is one in Node, Bun, Deno and workerd. */
export const diagnosticsChannel = (): DiagnosticsChannel | undefined =>
  tried(
    () => globals().process?.getBuiltinModule?.('node:diagnostics_channel') as DiagnosticsChannel | undefined,
    undefined,
  );

/** The page's address, in a browser. */
export const pageAddress = () => (isBrowser() ? globals().location : undefined);

/**
 * An environment variable. Undefined where there is no environment, or no permission to read it (Deno). An empty one
 * counts as unset.
 */
export function environmentVariable(name: string): string | undefined {
  const value = tried(() => globals().process?.env?.[name], undefined);
  return value === '' ? undefined : value;
}
