/** The place of a call: an error whose stack is formatted at its first read. */
export type CallSite = Error;

/** The used part of V8's `Error`; some engines do not have it. */
interface Capturing {
  readonly captureStackTrace?: (target: object, above: unknown) => void;
}

/** The place of a `new`: without the frames of the class, because a stack holds only a few frames. */
export function siteOfNew(called: abstract new (...args: never[]) => object): CallSite | undefined {
  const { captureStackTrace } = Error as Capturing;
  if (!captureStackTrace) return undefined;
  const site = {} as CallSite;
  captureStackTrace(site, called);
  return site;
}

/** Captures the stack. Call it before the first `await`, while the caller's line is on the stack. */
export const callSite = (): CallSite => new Error();
