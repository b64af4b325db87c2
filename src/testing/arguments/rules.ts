/** What an option must be, in words that follow "must be". The command line has the same options. */
export const TOKEN = 'letters, digits and any of . _ + / = -';
export const HOST = 'a host name such as emulator.example.com, with or without a port';
export const ORIGIN = 'an origin such as http://localhost:5173, without a path';
