import { TemplateTooComplex } from './errors.ts';
import type { BlockNode, Operand, PathOperand, Template, TemplateNode } from './nodes.ts';
import { escapeHtml } from '../kit/escape-html.ts';
import { textOf } from './text.ts';
import { pathText, VARIABLES, type VariablePath } from './variable-path.ts';

/** The maximum number of rendered nodes and loop iterations: nested `{{#each}}` multiply them. */
const MAX_STEPS = 1_000_000;
/** The maximum length of the result in characters, as for the body of a template. */
const MAX_LENGTH = 10_000_000;

/** A value and its place in the variables; without a place if it is not one of them. */
interface Located {
  readonly value: unknown;
  readonly path?: VariablePath | undefined;
}

/** The values of the blocks around a tag, the innermost first: `../` leads from one to the next. */
interface Depth extends Located {
  readonly around: Depth | undefined;
}

/** The variables of a loop, such as `@index`. `@../index` reads those of the outer loop. */
interface Frame {
  readonly values: Readonly<Record<string, unknown>>;
  readonly around: Frame | undefined;
}

/** The block parameters in scope, the innermost first. */
interface Params {
  readonly names: readonly string[];
  readonly values: readonly Located[];
  readonly around: Params | undefined;
}

/** The scope in which a tag looks up names. */
interface Scope {
  readonly here: Located;
  readonly depths: Depth;
  readonly frame: Frame;
  readonly params: Params | undefined;
}

/** The context of a block without a value, as in Handlebars; a section has none. */
const NOTHING: Readonly<Record<string, never>> = Object.freeze({});

/** The output of a part: text, or the value of `{{{name}}}`. */
type Rendered = string | number | boolean;

/**
 * Handlebars joins the parts of a block with `+`: for `{{{a}}}{{{b}}}` without text before them, it adds two numbers.
 */
const joined = (one: Rendered, other: Rendered): Rendered =>
  typeof one === 'string' || typeof other === 'string' ? `${one}${other}` : Number(one) + Number(other);

/** Options of rendering. */
export interface RenderOptions {
  /** Called with the place of each missing variable that an output or a loop reads. */
  readonly onMissing?: (path: string) => void;
}

/**
 * Renders a template, as Handlebars does, with the exceptions that the service documents: an empty object counts as false
 * in `{{#if}}` and `{{#unless}}`, and `{{name}}` escapes five characters.
 *
 * @throws {@link TemplateTooComplex} if it would take too long, or the result would be too large
 */
export function renderTemplate(
  { nodes }: Template,
  variables: Readonly<Record<string, unknown>>,
  options: RenderOptions = {},
): string {
  const here: Located = { value: variables, path: VARIABLES };
  const scope: Scope = {
    here,
    depths: { ...here, around: undefined },
    frame: { values: { root: variables }, around: undefined },
    params: undefined,
  };
  return String(new Renderer(options).nodes(nodes, scope));
}

class Renderer {
  readonly #options: RenderOptions;
  #steps = 0;
  #length = 0;

  constructor(options: RenderOptions) {
    this.#options = options;
  }

  nodes(nodes: readonly TemplateNode[], scope: Scope): Rendered {
    let result: Rendered | undefined;
    for (const node of nodes) {
      const piece = this.#node(node, scope);
      result = result === undefined ? piece : joined(result, piece);
    }
    return result ?? '';
  }

  #node(node: TemplateNode, scope: Scope): Rendered {
    this.#spend(1);
    if (node.kind === 'block') return this.#block(node, scope);
    const piece = node.kind === 'text' ? node.text : this.#written(node.operand, node.isRaw, scope);
    this.#length += String(piece).length;
    if (this.#length > MAX_LENGTH) throw new TemplateTooComplex();
    return piece;
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new TemplateTooComplex();
  }

  #written(operand: Operand, isRaw: boolean, scope: Scope): Rendered {
    const { value } = this.#needed(operand, scope);
    if (isRaw && (typeof value === 'number' || typeof value === 'boolean')) return value;
    const text = textOf(value);
    return isRaw ? text : escapeHtml(text);
  }

  /** A value that leaves a gap in the result if it is missing. */
  #needed(operand: Operand, scope: Scope): Located {
    const located = look(operand, scope);
    if (located.value === undefined && located.path !== undefined)
      this.#options.onMissing?.(pathText(located.path));
    return located;
  }

  #block(block: BlockNode, scope: Scope): Rendered {
    const inner = (located: Located, frame = scope.frame, values: readonly Located[] = []) =>
      this.nodes(block.inner, within(scope, located, frame, block.params, values));
    const self = block.name === 'section' ? scope.here : thisOf(scope);
    const same = () => inner(self);
    const otherwise = () => this.nodes(block.otherwise, within(scope, self, scope.frame, [], []));
    if (block.name === 'each') return this.#each(this.#needed(block.operand, scope), scope, inner, otherwise);
    const located = look(block.operand, scope);
    const { value } = located;
    switch (block.name) {
      case 'if':
        return isFalse(value) ? otherwise() : same();
      case 'unless':
        return isFalse(value) ? same() : otherwise();
      case 'with':
        return isEmpty(value) ? otherwise() : inner(located, scope.frame, [located]);
      case 'section':
        if (value === true) return same();
        if (value === false || value === undefined || value === null) return otherwise();
        return Array.isArray(value) ? this.#each(located, scope, inner, otherwise) : inner(located);
    }
  }

  #each(
    { value, path }: Located,
    scope: Scope,
    inner: (located: Located, frame: Frame, values: readonly Located[]) => Rendered,
    otherwise: () => Rendered,
  ): Rendered {
    const entries = entriesOf(value);
    if (entries.length === 0) return otherwise();
    this.#spend(entries.length);
    const last = entries.length - 1;
    let text = '';
    for (const [index, [key, one]] of entries.entries()) {
      const located = { value: one, path: path && { step: key, in: path } };
      const values = { ...scope.frame.values, key, index, first: index === 0, last: index === last };
      text += String(inner(located, { values, around: scope.frame }, [located, { value: key }]));
    }
    return text;
  }
}

/** The entries of a loop: the elements of a list with their numbers, or the fields of an object with their names. */
function entriesOf(value: unknown): [key: string | number, one: unknown][] {
  if (Array.isArray(value)) return value.map((one: unknown, index) => [index, one]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

const thisOf = ({ here }: Scope): Located =>
  here.value === undefined || here.value === null ? { ...here, value: NOTHING } : here;

/** The scope inside a block. A block with the same value as the outer one does not count for `../`. */
function within(
  scope: Scope,
  here: Located,
  frame: Frame,
  names: readonly string[],
  values: readonly Located[],
): Scope {
  const { depths } = scope;
  const isSame = isAlike(here.value, depths.value) || (here.value === NOTHING && depths.value === null);
  return {
    here,
    depths: isSame ? depths : { ...here, around: depths },
    frame,
    params: names.length > 0 ? { names, values, around: scope.params } : scope.params,
  };
}

/** Handlebars compares with `!=`: the text `'1'` inside the number 1 does not count for `../`. */
function isAlike(one: unknown, other: unknown): boolean {
  try {
    return one == other;
  } catch {
    // The value has a field `toString`.
    return false;
  }
}

function look(operand: Operand, scope: Scope): Located {
  if (operand.kind === 'literal') return { value: operand.value };
  const [head, ...rest] = operand.names;
  if (operand.depth === 0 && !operand.isScoped && head !== undefined) {
    const located = paramCalled(head, scope.params);
    if (located !== undefined) return follow(located, rest);
  }
  if (operand.isData) return lookAmongData(operand, scope.frame, scope);
  return follow(valueAt(operand.depth, scope), operand.names);
}

function paramCalled(name: string, params: Params | undefined): Located | undefined {
  if (params === undefined) return undefined;
  const index = params.names.indexOf(name);
  return index < 0 ? paramCalled(name, params.around) : (params.values[index] ?? { value: undefined });
}

/** `@root.name` is an ordinary variable; the other names are those of loops. */
function lookAmongData({ names, depth }: PathOperand, innermost: Frame, { depths }: Scope): Located {
  let frame: Frame | undefined = innermost;
  for (let left = depth; left > 0; left -= 1) frame = frame?.around;
  const [head = '', ...rest] = names;
  if (frame !== undefined && head === 'root') return follow(rootOf(depths), rest, true);
  return follow({ value: frame?.values }, names, true);
}

const rootOf = (depth: Depth): Located => (depth.around === undefined ? depth : rootOf(depth.around));

function valueAt(depth: number, { here, depths }: Scope): Located {
  if (depth === 0) return here;
  let at: Depth | undefined = depths;
  for (let left = depth; left > 0; left -= 1) at = at?.around;
  return at ?? { value: undefined };
}

const isEnd = (value: unknown, stopsAtFalse: boolean): boolean =>
  stopsAtFalse ? !value : value === undefined || value === null;

/** Follows names from a value. The first absent name is the place of the missing variable. */
function follow(from: Located, names: readonly string[], stopsAtFalse = false): Located {
  let { value, path } = from;
  for (const name of names) {
    if (isEnd(value, stopsAtFalse)) break;
    path &&= { step: stepOf(value, name), in: path };
    value = ownField(value, name);
  }
  return { value, path };
}

const stepOf = (value: unknown, name: string): string | number =>
  Array.isArray(value) && /^\d+$/.test(name) ? Number(name) : name;

/** An own field of the value: inherited fields are not variables. A text has a length and characters. */
function ownField(value: unknown, name: string): unknown {
  return Object.hasOwn(Object(value) as object, name)
    ? (Object(value) as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Whether a value is false for the service's `{{#if}}`, also an empty list or object. */
const isFalse = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : !value;

/** Whether a value is empty for `{{#with}}`. */
const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : !value && value !== 0;
