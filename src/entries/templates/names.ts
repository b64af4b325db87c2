import { isName } from '../../handlebars/variable-path.ts';

/** Largest length of a folder's name in characters. */
const MAX_LENGTH = 60;

/** Names of devices in Windows, which files must not have, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/;

/** The separators between the words of a name. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * The name of a template's folder: its words in small letters of any script. It is one valid step of a path for any
 * template's name.
 */
export function folderNameOf(name: string, id: number): string {
  const words = name.toLowerCase().normalize('NFC').split(BETWEEN_WORDS);
  // Removes a mark at the beginning of a word, which would combine with the hyphen.
  const kept = words.map((word) => word.replace(/^\p{M}+/u, '')).filter((word) => word !== '');
  const kebab = Array.from(kept.join('-')).slice(0, MAX_LENGTH).join('').replace(/-$/, '');
  if (kebab === '') return `template-${id}`;
  return DEVICE.test(kebab) ? `${kebab}-${id}` : kebab;
}

/** The name of a template's function: the words of its folder in camel case. */
export function functionNameOf(folder: string): string {
  const [first = '', ...others] = folder.split(BETWEEN_WORDS).filter((word) => word !== '');
  const capital = ([letter = '', ...rest]: string) => letter.toUpperCase() + rest.join('');
  return [first.toLowerCase(), ...others.map((word) => capital(word.toLowerCase()))].join('');
}

/** The name of the type of a template's variables. */
export function typeNameOf(functionName: string): string {
  const [letter = '', ...rest] = functionName;
  return `${letter.toUpperCase()}${rest.join('')}Variables`;
}

/** Reserved words of the language, and names with a meaning in the generated file or for `await`. */
const RESERVED = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function ' +
    'if import in instanceof new null return super switch this throw true try typeof var void while with ' +
    'await yield let static implements interface package private protected public arguments eval undefined ' +
    'emails then constructor'
  ).split(' '),
);

/** The reason why a text is not a valid name of a function; undefined if it is one. */
export function problemOfName(name: string): string | undefined {
  if (RESERVED.has(name)) return 'is a reserved name';
  if (/^\p{N}/u.test(name)) return 'begins with a digit';
  return isName(name) ? undefined : 'is not a valid name in JavaScript';
}
