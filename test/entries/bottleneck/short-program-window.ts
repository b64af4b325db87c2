/** So long that a busy machine ends a process well before it is over. */
export const WINDOW_MS = 5_000;
