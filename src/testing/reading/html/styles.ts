/**
 * The styles that hide a text or begin a line: inline styles, and rules of style sheets for a tag, a class or an id. Ignores
 * other selectors.
 */

/** The value of a property, and whether it is `!important`. */
interface Declared {
  readonly value: string;
  readonly isImportant: boolean;
}

/** Declarations by property. */
export type Declarations = ReadonlyMap<string, Declared>;

const PROPERTIES = new Set([
  'display',
  'visibility',
  'opacity',
  'font-size',
  'height',
  'max-height',
  'overflow',
  'white-space',
]);

const NONE: Declarations = new Map();

/** The declarations of a block, without comments. */
function declarationsOf(block: string): Declarations {
  const found = new Map<string, Declared>();
  for (const declaration of block.split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!PROPERTIES.has(property)) continue;
    const input = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    const isImportant = input.endsWith('important') && input.includes('!');
    const value = isImportant ? input.slice(0, input.lastIndexOf('!')).trim() : input;
    if (isImportant || found.get(property)?.isImportant !== true) found.set(property, { value, isImportant });
  }
  return found.size === 0 ? NONE : found;
}

/** Merges declarations. The last one of a property wins; an important one wins over others. */
function winning(all: readonly Declarations[]): Declarations {
  const won = new Map<string, Declared>();
  for (const declarations of all)
    for (const [property, declared] of declarations)
      if (declared.isImportant || won.get(property)?.isImportant !== true) won.set(property, declared);
  return won;
}

/** Removes the text between two marks. An unclosed mark reaches to the end. */
function without(text: string, open: string, close: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, from)) {
    parts.push(text.slice(from, at));
    const end = text.indexOf(close, at + open.length);
    if (end < 0) return parts.join(' ');
    from = end + close.length;
  }
  return [...parts, text.slice(from)].join(' ');
}

/** The assumed width of the window, in pixels. */
const WINDOW_WIDTH = 1024;

/** Whether a media query applies to a window of a screen. */
function isShown(query: string): boolean {
  return query.split(',').some((one) => {
    const [type = '', ...features] = one
      .trim()
      .toLowerCase()
      .split(/ ?\band\b ?/);
    const all = type.startsWith('(') ? [type, ...features] : features;
    const fitsType = type.startsWith('(') || /^(only\s+)?(screen|all)$/.test(type);
    return (
      fitsType &&
      all.every((feature) => {
        const [, edge, width] =
          /^\(\s*(min|max)-(?:device-)?width\s*:\s*(\d+)(?:\.\d+)?px\s*\)$/.exec(feature) ?? [];
        return edge === 'min'
          ? Number(width) <= WINDOW_WIDTH
          : edge === 'max' && Number(width) >= WINDOW_WIDTH;
      })
    );
  });
}

/** A simple selector, the key of a rule: a tag, a class or an id, or a tag with a class or an id. */
const SIMPLE = /^(?:\*|[a-z][\w-]*|[a-z][\w-]*[.#][\w-]+|[.#][\w-]+)$/i;

const specificity = (key: string) =>
  (key.includes('#') ? 4 : key.includes('.') ? 2 : 0) + (/^[a-z]/.test(key) ? 1 : 0);

interface Rule {
  readonly weight: number;
  readonly order: number;
  readonly declarations: Declarations;
}

/** The styles of a document. */
export class Styles {
  /** By key, one rule for each. */
  readonly #rules = new Map<string, Rule>();
  /** A cache of the rules for elements, by tag, class and id, which many elements share. */
  readonly #matched = new Map<string, Map<string, readonly Rule[]>>();
  readonly #inline = new Map<string, Declarations>();
  #order = 0;

  /** Adds a style sheet. */
  add(sheet: string): void {
    const css = without(without(sheet, '/*', '*/'), '<!--', '-->');
    let from = 0;
    /** For each outer block, whether its rules apply. */
    const around: boolean[] = [];
    for (let at = 0; at < css.length; at += 1) {
      const mark = css[at];
      if (mark === '}') around.pop();
      if (mark === '}' || mark === ';') from = at + 1;
      if (mark !== '{') continue;
      const prelude = css.slice(from, at).replace(/\s+/g, ' ').trim();
      from = at + 1;
      if (prelude.startsWith('@')) {
        around.push((around.at(-1) ?? true) && /^@media\b/i.test(prelude) && isShown(prelude.slice(6)));
        continue;
      }
      const end = css.indexOf('}', at);
      if (around.at(-1) ?? true) this.#rule(prelude, css.slice(at + 1, end < 0 ? css.length : end));
      if (end < 0) return;
      at = end;
      from = end + 1;
    }
  }

  #rule(selectors: string, block: string): void {
    const declarations = declarationsOf(block);
    if (declarations.size === 0) return;
    this.#order += 1;
    for (const selector of selectors.split(',')) {
      const one = selector.trim();
      if (!SIMPLE.test(one)) continue;
      const key = one.replace(/^[a-z][\w-]*/i, (tag) => tag.toLowerCase());
      const before = this.#rules.get(key)?.declarations ?? NONE;
      this.#rules.set(key, {
        weight: specificity(key),
        order: this.#order,
        declarations: winning([before, declarations]),
      });
    }
  }

  /** The winning declarations for an element. */
  of(tag: string, attributes: ReadonlyMap<string, string>): Declarations {
    const style = attributes.get('style');
    if (this.#rules.size === 0 && style === undefined) return NONE;
    const rules = this.#rules.size === 0 ? [] : this.#matching(tag, attributes);
    if (style === undefined && rules.length === 0) return NONE;
    return winning([...rules.map((rule) => rule.declarations), this.#inlineOf(style ?? '')]);
  }

  #inlineOf(style: string): Declarations {
    const cached = this.#inline.get(style);
    if (cached !== undefined) return cached;
    const declarations = declarationsOf(without(style, '/*', '*/'));
    this.#inline.set(style, declarations);
    return declarations;
  }

  /** The rules for an element, the weakest first. */
  #matching(tag: string, attributes: ReadonlyMap<string, string>): readonly Rule[] {
    const classes = attributes.get('class') ?? '';
    const id = attributes.get('id') ?? '';
    const ofTag = this.#matched.get(tag) ?? new Map<string, readonly Rule[]>();
    this.#matched.set(tag, ofTag);
    const name = `${id}\n${classes}`;
    const cached = ofTag.get(name);
    if (cached !== undefined) return cached;
    const own = [...new Set(classes.split(/\s+/))].filter(Boolean).map((one) => `.${one}`);
    if (id !== '') own.push(`#${id}`);
    const keys = ['*', tag, ...own.flatMap((one) => [one, tag + one])];
    const rules = keys
      .flatMap((key) => this.#rules.get(key) ?? [])
      .sort((a, b) => a.weight - b.weight || a.order - b.order);
    ofTag.set(name, rules);
    return rules;
  }
}
