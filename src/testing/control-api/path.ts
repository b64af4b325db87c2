/** The path under which a server has its door. */
export const DOOR = '/_emulator';
