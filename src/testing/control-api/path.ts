/** The path under which a server has its control API. */
export const CONTROL_PATH = '/_emulator';
