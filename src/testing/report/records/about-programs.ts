/** Signs that an email is about programs: its sentences may name values, and lines that are set in may be code. */

/** Code as it is written: `parse()`, `a === b`, `typeof x`, `TypeError: …`, `user=null`. */
const CODE =
  /\w\((?:["'][^"'\n]{0,40}["'])?\)|[=!]==|(?<!\p{L})typeof \w|(?<!\p{L})[A-Z][A-Za-z]{1,30}(?:Error|Exception)(?!\p{L})|(?<=^|\s)\w{1,40}=(?:null|undefined|NaN)(?=$|[\s,;])/mu;
/** A placeholder that nothing has replaced may call a function. */
const PLACEHOLDER = /[{$]\{[^{}]{1,200}\}/g;
/** A value or a placeholder between backticks or in an element of code. */
const SHOWN =
  /`[^`\n]{0,200}(?:undefined|null|NaN|\{\{)|<(?:code|pre|kbd|samp)(?:\s[^<>]{0,200})?>[^<]{0,2000}(?:undefined|null|NaN|\{\{)/i;
/** The two values that texts about programs compare. An email that is broken rarely has both in one line. */
const COMPARED = [/(?<![a-z])null(?![a-z])/, /(?<![a-z])undefined(?![a-z])/];

/** Whether an email is about programs. `texts` are its subject and texts as a person reads them. */
export function isAboutPrograms(texts: readonly string[], html: string): boolean {
  const lines = texts.flatMap((text) => text.split(/[\n\t\r]+/));
  return (
    texts.some((text) => CODE.test(text.replace(PLACEHOLDER, ''))) ||
    [...texts, html].some((text) => SHOWN.test(text)) ||
    lines.some(
      (line) =>
        COMPARED.every((value) => value.test(line)) && !/null[\s,]+undefined|undefined[\s,]+null/.test(line),
    )
  );
}
