/** A part of a text, by its offsets. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Soft hyphens, zero-width spaces and marks of direction: all invisible. Joiners stay, as emoji are made with them. */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** How far apart two texts are, from the nearest to the farthest: in a line, in cells of a row, on lines. */
const GAPS = ['', ' ', '\t', '\n'] as const;
type Gap = (typeof GAPS)[number];

/** Text without invisible characters, and with one space for any white space. */
export const collapsed = (text: string): string => text.replace(INVISIBLE, '').replace(/\s+/g, ' ');

/** The text of a document as a person reads it: a block is on lines of its own, and white space is a single space. */
export class TextFlow {
  readonly #parts: string[] = [];
  #gap: Gap = '';
  #length = 0;

  /** How long the text is so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds text. Line breaks within it are white space. */
  add(given: string): void {
    const text = collapsed(given);
    if (text.startsWith(' ')) this.separate(' ');
    const words = text.trim();
    if (words === '') return;
    if (this.#gap !== '' && this.#length > 0) this.#push(this.#gap);
    this.#gap = '';
    this.#push(words);
    if (text.endsWith(' ')) this.separate(' ');
  }

  /** Separates what comes from what is there. The farthest of several gaps counts. */
  separate(gap: Gap): void {
    if (GAPS.indexOf(gap) > GAPS.indexOf(this.#gap)) this.#gap = gap;
  }

  /** The text from an offset to its end, if it has at most so many characters. */
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
