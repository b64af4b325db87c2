/**
 * A text on one line, without characters that a terminal obeys: control characters can move the cursor, and bidirectional
 * ones can hide a part of the line.
 */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
