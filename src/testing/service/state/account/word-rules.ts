import { isToken } from './tokens.ts';

/** The rules of options, in words that follow "must be". The command line uses the same rules. */
export const TOKEN = 'letters, digits and any of . _ + / = -';
export const CONTROL_TOKEN = `at least 16 characters: ${TOKEN}`;
export const HOST = 'a host name such as emulator.example.com, with or without a port';
export const ORIGIN = 'an origin such as http://localhost:5173, without a path';

/** Whether a text can be the token of a control API: long enough to resist guessing. */
export const isControlToken = (text: string): boolean => text.length >= 16 && isToken(text);
