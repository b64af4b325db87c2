/** A text with a space for each character that moves a cursor or hides a part of the line in a terminal. */
export const plainLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ');

/** A text on one line, without characters that a terminal obeys. */
export const oneLine = (text: string): string => plainLine(text).replace(/\s+/g, ' ').trim();
