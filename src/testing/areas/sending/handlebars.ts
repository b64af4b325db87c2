/** A piece of a template: plain text, a value, or a block with a condition. */
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: string; readonly raw: boolean }
  | {
      readonly kind: 'block';
      readonly name: string;
      readonly path: string;
      readonly inner: readonly Piece[];
      readonly otherwise: readonly Piece[];
    };

/** Where names are looked up: the current value, the scope around it, and data such as `@index`. */
interface Scope {
  readonly value: unknown;
  readonly around: Scope | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How deep blocks may be nested. */
const MAX_DEPTH = 100;
/** How many pieces and rounds of loops may be rendered: an `{{#each}}` within another one multiplies them. */
const MAX_PIECES = 1_000_000;
/** How many characters the result may have: as many as the body of a template. */
const MAX_LENGTH = 10_000_000;

/**
 * Renders a template: `{{name}}`, `{{object.property}}`, `{{{unescaped}}}`, `{{#if}}` and `{{#unless}}` with `{{else}}`
 * and `{{else if}}`, `{{#each}}` and `{{#with}}`. Any other tag renders nothing. Returns `undefined` for a template that is
 * nested too deep, or whose result would be too large.
 *
 * @param isEscaped - whether `{{name}}` writes entities for what has a meaning in HTML.
 */
export function fill(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  isEscaped: boolean,
): string | undefined {
  if (!template.includes('{{')) return template;
  try {
    const pieces = new Parser(template).all();
    return new Renderer(isEscaped).render(pieces, { value: variables, around: undefined, data: {} });
  } catch (error) {
    if (error instanceof TooComplex) return undefined;
    throw error;
  }
}

class TooComplex extends Error {}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(template: string) {
    this.#tokens = template.split(/(\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\})/).filter((token) => token !== '');
  }

  all(): Piece[] {
    const pieces: Piece[] = [];
    while (this.#at < this.#tokens.length) {
      for (const piece of this.#pieces()) pieces.push(piece);
      // A closing tag without an opening one is skipped.
      this.#at += 1;
    }
    return pieces;
  }

  /** Reads up to an `{{else}}`, an `{{else if}}` or a closing tag, which is left to the block that it belongs to. */
  #pieces(): Piece[] {
    const pieces: Piece[] = [];
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#tokens[this.#at] ?? '';
      const tag = tagOf(token);
      if (tag === undefined) pieces.push({ kind: 'text', text: token });
      else if (/^(?:else(?:\s|$)|\/)/.test(tag)) return pieces;
      else if (tag.startsWith('#')) pieces.push(this.#block(tag.slice(1)));
      else if (!tag.startsWith('!')) pieces.push({ kind: 'value', path: tag, raw: token.startsWith('{{{') });
    }
    return pieces;
  }

  #block(head: string): Piece {
    const [name = '', path = ''] = head.trim().split(/\s+/);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooComplex();
    this.#at += 1;
    const inner = this.#pieces();
    const otherwise = this.#otherwise();
    this.#depth -= 1;
    return { kind: 'block', name, path, inner, otherwise };
  }

  /** Reads what follows an `{{else}}`, if there is one. After `{{else if}}` that is a block, which ends with the outer. */
  #otherwise(): Piece[] {
    const tag = tagOf(this.#tokens[this.#at] ?? '') ?? '';
    if (!/^else(?:\s|$)/.test(tag)) return [];
    if (tag !== 'else') return [this.#block(tag.slice('else'.length))];
    this.#at += 1;
    return this.#pieces();
  }
}

function tagOf(token: string): string | undefined {
  return /^\{\{\{?([^{}]*)\}?\}\}$/.exec(token)?.[1]?.trim();
}

class Renderer {
  readonly #isEscaped: boolean;
  #pieces = 0;
  #length = 0;

  constructor(isEscaped: boolean) {
    this.#isEscaped = isEscaped;
  }

  render(pieces: readonly Piece[], scope: Scope): string {
    return pieces.map((piece) => this.#piece(piece, scope)).join('');
  }

  #piece(piece: Piece, scope: Scope): string {
    this.#spend(1);
    if (piece.kind === 'block') return this.#block(piece, scope);
    const text = piece.kind === 'text' ? piece.text : this.#value(piece, scope);
    this.#length += text.length;
    if (this.#length > MAX_LENGTH) throw new TooComplex();
    return text;
  }

  #spend(pieces: number): void {
    this.#pieces += pieces;
    if (this.#pieces > MAX_PIECES) throw new TooComplex();
  }

  #value({ path, raw }: Extract<Piece, { kind: 'value' }>, scope: Scope): string {
    const shown = show(lookUp(path, scope));
    return this.#isEscaped && !raw ? escape(shown) : shown;
  }

  #block(block: Extract<Piece, { kind: 'block' }>, scope: Scope): string {
    const value = lookUp(block.path, scope);
    const otherwise = () => this.render(block.otherwise, scope);
    const within = (inner: unknown, data: Scope['data']) =>
      this.render(block.inner, { value: inner, around: scope, data });
    switch (block.name) {
      case 'if':
        return isEmpty(value) ? otherwise() : this.render(block.inner, scope);
      case 'unless':
        return isEmpty(value) ? this.render(block.inner, scope) : otherwise();
      case 'with':
        return isEmpty(value) ? otherwise() : within(value, scope.data);
      case 'each': {
        const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
        if (entries.length === 0) return otherwise();
        this.#spend(entries.length);
        const last = entries.length - 1;
        return entries
          .map(([key, one], index) => within(one, { index, key, first: index === 0, last: index === last }))
          .join('');
      }
      default:
        return '';
    }
  }
}

function lookUp(path: string, scope: Scope): unknown {
  if (path.startsWith('@')) return scope.data[path.slice(1)];
  if (path.startsWith('../'))
    return scope.around === undefined ? undefined : lookUp(path.slice(3), scope.around);
  let value = scope.value;
  for (const name of path.split('.')) {
    if (name === '' || name === 'this') continue;
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? propertyOf(value, name)
        : undefined;
  }
  return value;
}

function propertyOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

function isEmpty(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

function show(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
