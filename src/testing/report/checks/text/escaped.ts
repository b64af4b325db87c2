import { short, type Fault, type MailCheck } from '../../records/checked-mail.ts';

const ENTITY =
  /(?<!["'`“‘«„])&(?:amp|lt|gt|quot|apos|nbsp|copy|reg|trade|euro|pound|middot|bull|hellip|[mn]dash|[lr][sd]quo|laquo|raquo|szlig|[aeiounyc](?:uml|acute|grave|circ|tilde|cedil|ring)|#\d{2,6}|#x[\da-f]{2,5});(?!["'`”’»]|\s+(?:for|is|means|stands|instead|in html|für|steht|ist)(?!\p{L}))/iu;
const TAG =
  /(?<!["'`“‘«„])<(?:(b|i|p|a|em|h[1-6]|strong|span|div|u|td|li|ul)(?:\s[^<>]{0,200})?>[^<>\n]{0,200}<\/\1>|br ?\/?>)/iu;
/** UTF-8 that was read as Latin-1 or Windows-1252, and bytes that were read as UTF-8. */
const WRONG_ENCODING =
  /[ÃÅÐÑ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|Â[\u00a0\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0\u00b7\u00bb]|â€[\u0080-\u009f™œ“”¦˜“”\u009d\u00a6]|\ufffd/u;

const KINDS = [
  { pattern: ENTITY, what: 'is escaped once too often' },
  { pattern: TAG, what: 'is a tag that is shown as text' },
  { pattern: WRONG_ENCODING, what: 'was read in the wrong encoding' },
] as const;

/** Text that arrives escaped: escaped once too often, as by `{{name}}` in a subject, or in the wrong encoding. */
export const escaped: MailCheck = ({ texts, plainText, names, anchors }) => {
  const places = [
    ...texts.slice(0, -1),
    ...names,
    // HTML in the place of the text is said by another check.
    { text: /<\/?[a-z][^<>]*>/i.test(plainText) ? '' : plainText, where: 'the text part' },
    ...anchors.map(({ href }) => ({ text: /&amp;/i.exec(href)?.[0] ?? '', where: 'a link' })),
  ];
  const faults = new Map<string, Fault>();
  for (const { text, where } of places) {
    for (const { pattern, what } of KINDS) {
      const found = pattern.exec(text);
      if (found === null) continue;
      const message = `"${excerpt(text, found.index, found[0].length)}" in ${where} ${what}`;
      faults.set(`${where} ${what}`, { level: 'warn', message, group: `${where} ${what}` });
    }
  }
  return [...faults.values()];
};

/** A few characters around a place, on its line. */
function excerpt(text: string, at: number, length: number): string {
  const before = text.slice(Math.max(0, at - 20), at).replace(/^[^]*[\n\t]/, '');
  const after = text.slice(at + length, at + length + 20).replace(/[\n\t][^]*$/, '');
  return short(before.trimStart() + text.slice(at, at + length) + after.trimEnd(), 80);
}
