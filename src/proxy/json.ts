import { parseJson } from '../core/json.ts';

/** JSON may be nested this deep. What is nested deeper is more than a function that reads it can follow. */
const MAX_DEPTH = 1_000;

/** Parses JSON; undefined where it is none, or is nested too deeply. */
export const boundedJson = (text: string): unknown => (isTooDeep(text) ? undefined : parseJson(text));

/** Whether JSON is nested too deeply. Found out before it is parsed: a megabyte of brackets becomes a lot of arrays. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') isInString = !isInString;
    else if (isInString) at += char === '\\' ? 1 : 0;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
