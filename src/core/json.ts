import { tried } from './tried.ts';

/** JSON in which integers of more digits than a number can hold are strings: an id would become another one. */
function withLongIds(json: string): string {
  let isInString = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (part) => {
    if (part === '"') isInString = !isInString;
    const isLong = !isInString && /^-?\d+$/.test(part) && !Number.isSafeInteger(Number(part));
    return isLong ? `"${part}"` : part;
  });
}

/** Sixteen digits in a row. Written out, because V8 looks for that several times as fast as for `\d{16}`. */
const LONG_NUMBER = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Parses JSON; undefined where it is none. Integers that a number cannot hold become strings. */
export const parseJson = (text = ''): unknown =>
  tried(() => {
    const value: unknown = JSON.parse(text);
    return LONG_NUMBER.test(text) ? (JSON.parse(withLongIds(text)) as unknown) : value;
  }, undefined);
