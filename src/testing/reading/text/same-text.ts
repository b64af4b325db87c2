import { collapsed } from './text-flow.ts';

/** Normalizes a text for a comparison that ignores case, white space, and the encoding of accents. */
export const comparable = (text: string): string => collapsed(text).trim().normalize('NFC').toLowerCase();
