/** Mistakes in the text of a setting, such as one of the environment. */
import type { Rule } from './rules.ts';

/** Control characters, spaces without width, marks of direction and of byte order. */
const invisible = () => new RegExp('[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u00a0]', 'u');
const QUOTES = /^(["'`]).*\1$|^[“”„‘’«»].*[“”‘’«»]$/su;

/** The rule that a value was set at all: some tools write a word, or leave their own placeholder. */
export const setRule: Rule = (value) => {
  const text = String(value).trim();
  const [word] = /^(?:undefined|null)$/i.exec(text) ?? [];
  if (word !== undefined) return `must not be the word ${word}: it stands for a value that was not set`;
  const hasPlaceholder = /\$\{|\{\{|^\$\w+$|^%\w+%$/.test(text);
  if (hasPlaceholder) return 'must not be a placeholder, such as ${NAME}: it was not replaced by its value';
  return QUOTES.test(text)
    ? 'must not be in quotes: some tools, such as docker --env-file, keep them'
    : undefined;
};

/** The rule that a setting is the value alone. The message never contains the value. */
export const aloneRule: Rule = (value) => {
  const text = String(value);
  const character = invisible().exec(text)?.[0].codePointAt(0);
  if (character !== undefined)
    return `must not have invisible characters: it has U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
  if (/^\s*(?:export\s+)?[A-Z][A-Z\d_]*\s*=/.test(text))
    return 'must be the value alone: it begins with the name of a variable';
  if (/^\s*(?:(?:authorization|api-token)\s*:|(?:bearer|basic|token)\s)/i.test(text))
    return 'must be the value alone: it begins with the name of a header or of a scheme';
  if (/\s#/.test(text)) return 'must be the value alone: it ends with a comment';
  return setRule(value);
};
