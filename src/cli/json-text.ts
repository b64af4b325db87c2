/** A result as JSON, in which the characters that a terminal obeys are escaped. */
export const jsonText = (result: unknown): string =>
  `${JSON.stringify(result).replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;
