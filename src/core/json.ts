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

/** Parses JSON; undefined where it is none. Integers that a number cannot hold become strings. */
export const parseJson = (text = ''): unknown =>
  tried(() => {
    const value: unknown = JSON.parse(text);
    return /\d{16}/.test(text) ? (JSON.parse(withLongIds(text)) as unknown) : value;
  }, undefined);
