import { collapsed } from './text-flow.ts';

/** A text as a person compares it: whatever its case, its white space, and how its accents are written. */
export const comparable = (text: string): string => collapsed(text).trim().normalize('NFC').toLowerCase();
