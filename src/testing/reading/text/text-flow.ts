/** A part of a text, by its offsets. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Invisible characters: soft hyphens, zero-width spaces and marks of direction. Joiners stay, because emoji need them. */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** The separators of texts, from the weakest to the strongest: none, space, cell, line. */
const GAPS = ['', ' ', '\t', '\n'] as const;
type Gap = (typeof GAPS)[number];

/** Text without invisible characters, and with one space for any white space. */
export const collapsed = (text: string): string => text.replace(INVISIBLE, '').replace(/\s+/g, ' ');

/** The visible text of a document: each block on its own lines, and single spaces for white space. */
export class TextFlow {
  readonly #parts: string[] = [];
  #gap: Gap = '';
  #length = 0;

  /** The length of the text so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds text. Line breaks within it are white space. */
  add(input: string): void {
    const text = collapsed(input);
    if (text.startsWith(' ')) this.separate(' ');
    const words = text.trim();
    if (words === '') return;
    if (this.#gap !== '' && this.#length > 0) this.#push(this.#gap);
    this.#gap = '';
    this.#push(words);
    if (text.endsWith(' ')) this.separate(' ');
  }

  /** Separates the next text from the text so far. The strongest of several separators counts. */
  separate(gap: Gap): void {
    if (GAPS.indexOf(gap) > GAPS.indexOf(this.#gap)) this.#gap = gap;
  }

  /** The text from an offset to its end; `undefined` if it has more than `most` characters. */
  since(from: number, most: number): string | undefined {
    if (this.#length - from > most) return undefined;
    let text = '';
    for (let index = this.#parts.length - 1; text.length < this.#length - from; index -= 1)
      text = (this.#parts[index] ?? '') + text;
    return text;
  }

  toString(): string {
    return this.#parts.join('');
  }

  #push(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

/** Normalizes a text for a comparison that ignores case, white space, and the encoding of accents. */
export const comparable = (text: string): string => collapsed(text).trim().normalize('NFC').toLowerCase();
