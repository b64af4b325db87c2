import { isName } from '../handlebars/variable-path.ts';

/** So many characters of a name are kept. */
const MAX_LENGTH = 60;

/** Names of devices in Windows, which no file may have, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/;

/** The separators between the words of a name. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * The name of the folder of a template: its words, in small letters of any script. It is one step of a path, whatever the
 * template is called.
 */
export function folderNameOf(name: string, id: number): string {
  const words = name.toLowerCase().normalize('NFC').split(BETWEEN_WORDS);
  // A mark belongs to the letter before it: alone, it would belong to the hyphen.
  const kept = words.map((word) => word.replace(/^\p{M}+/u, '')).filter((word) => word !== '');
  const kebab = Array.from(kept.join('-')).slice(0, MAX_LENGTH).join('').replace(/-$/, '');
  if (kebab === '') return `template-${id}`;
  return DEVICE.test(kebab) ? `${kebab}-${id}` : kebab;
}

/** The name of the function of a template: the words of its folder in camel case. */
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

/** Words of the language, which are no names; and names with a meaning in the generated file, or to `await`. */
const RESERVED = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function ' +
    'if import in instanceof new null return super switch this throw true try typeof var void while with ' +
    'await yield let static implements interface package private protected public arguments eval undefined ' +
    'emails then constructor'
  ).split(' '),
);

/** Why a text cannot be the name of a function; undefined if it can. */
export function problemOfName(name: string): string | undefined {
  if (RESERVED.has(name)) return 'is a reserved name';
  if (/^\p{N}/u.test(name)) return 'begins with a digit';
  return isName(name) ? undefined : 'is not a name of JavaScript';
}
