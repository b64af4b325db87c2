/** A class of letters of the scripts that write no spaces between words, for a RegExp with the flag `u`. */
export const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');

/** Whether a character belongs to such a script. */
export const isUnspaced = (character: string): boolean => IS_UNSPACED.test(character);
