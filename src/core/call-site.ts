/** Where a call was made: an error whose stack is formatted only when somebody reads it. */
export type CallSite = Error;

/** The part of V8's `Error` that is used here; some engines do not have it. */
interface Capturing {
  readonly captureStackTrace?: (target: object, above: unknown) => void;
}

/** The place of a `new`: without the frames of the class, because a stack has room for few. */
export function siteOfNew(called: abstract new (...args: never[]) => object): CallSite | undefined {
  const { captureStackTrace } = Error as Capturing;
  if (!captureStackTrace) return undefined;
  const site = {} as CallSite;
  captureStackTrace(site, called);
  return site;
}

/** To be called while the caller's own line is on the stack: before anything is awaited. */
export const callSite = (): CallSite => new Error();
