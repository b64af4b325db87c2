/** Where this code runs, as far as it matters: told by the globals a page, a worker or a server has. */

interface Globals {
  readonly window?: { readonly document?: unknown };
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly location?: { readonly href?: unknown; readonly origin?: unknown };
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

const globals = (): Globals => globalThis;

/** A page or a web worker: where everybody can read what the code holds, and `User-Agent` is not ours to set. */
export function isBrowser(): boolean {
  const { window, document, importScripts } = globals();
  return (window?.document !== undefined && document !== undefined) || typeof importScripts === 'function';
}

/** The address of the page, in a browser. */
export function pageAddress(): URL | undefined {
  const href = isBrowser() ? globals().location?.href : undefined;
  return typeof href === 'string' && URL.canParse(href) ? new URL(href) : undefined;
}

/** An environment variable; undefined where there is no environment, or no leave to read it. Empty counts as unset. */
export function environmentVariable(name: string): string | undefined {
  try {
    const value = globals().process?.env?.[name];
    return value === '' ? undefined : value;
  } catch {
    return undefined;
  }
}
