import { didYouMean } from '../../kit/did-you-mean.ts';
import { CONFIG_FILE } from './config.ts';
import { TemplateError } from './errors.ts';
import { inside } from './files.ts';

/** The templates that a command acts on: those that `ignore` does not name, and of these the ones that `only` names. */
export class Selection {
  readonly #folder: string;
  readonly #ignore: readonly string[];
  readonly #only: readonly string[];

  constructor(folder: string, ignore: readonly string[], only: readonly string[]) {
    this.#folder = folder;
    this.#ignore = ignore;
    this.#only = only;
  }

  /** Whether a template with these names is one of them: the names of its folder, in its files and in the service. */
  has(...names: readonly string[]): boolean {
    const isNamedIn = (patterns: readonly string[]) =>
      patterns.some((pattern) => names.some((name) => isMatch(pattern, name)));
    return !isNamedIn(this.#ignore) && (this.#only.length === 0 || isNamedIn(this.#only));
  }

  /**
   * Throws for a text of `only` that names none of these templates: a typing mistake would otherwise look like
   * success.
   */
  checkOnly(known: readonly string[]): void {
    const isIgnored = (name: string) => this.#ignore.some((pattern) => isMatch(pattern, name));
    const usable = known.filter((name) => !isIgnored(name));
    const problems = this.#only.flatMap((pattern) => {
      if (usable.some((name) => isMatch(pattern, name))) return [];
      const message = known.some((name) => isMatch(pattern, name))
        ? `is ignored: see ${CONFIG_FILE}`
        : `there is no such template${didYouMean(pattern, usable)}`;
      return [{ file: inside(this.#folder, pattern), line: undefined, message }];
    });
    if (problems.length > 0) throw new TemplateError(problems);
  }
}

/**
 * Whether a pattern matches a whole name: `*` stands for any text, and `?` for one character. After a mismatch, only the
 * last `*` takes more text, so that the time is at most the product of the two lengths.
 */
export function isMatch(pattern: string, name: string): boolean {
  const [marks, letters] = [Array.from(pattern.normalize('NFC')), Array.from(name.normalize('NFC'))];
  let [mark, letter] = [0, 0];
  let star: { readonly mark: number; letter: number } | undefined;
  while (letter < letters.length) {
    if (marks[mark] === '*') {
      star = { mark, letter };
      mark += 1;
    } else if (marks[mark] === '?' || marks[mark] === letters[letter]) {
      mark += 1;
      letter += 1;
    } else if (star === undefined) return false;
    else {
      star.letter += 1;
      mark = star.mark + 1;
      letter = star.letter;
    }
  }
  return marks.slice(mark).every((one) => one === '*');
}
