/** Where a call was made: an error whose stack is formatted only when somebody reads it. */
export type CallSite = Error;

/** To be called while the caller's own line is on the stack: before anything is awaited. */
export const callSite = (): CallSite => new Error();
