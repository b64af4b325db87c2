import { TemplateTooComplex } from './errors.ts';
import type { BlockNode, Operand, PathOperand, Template, TemplateNode } from './nodes.ts';
import { escape, textOf } from './text.ts';
import { pathText, VARIABLES, type VariablePath } from './variable-path.ts';

/** How many nodes and rounds of loops may be rendered: an `{{#each}}` within another one multiplies them. */
const MAX_STEPS = 1_000_000;
/** How many characters the result may have: as many as the body of a template. */
const MAX_LENGTH = 10_000_000;

/** A value, and where it is within the variables; it has no place if it is not one of them. */
interface Found {
  readonly value: unknown;
  readonly path?: VariablePath | undefined;
}

/** The values of the blocks around a tag, the innermost first: `../` leads from one to the next. */
interface Depth extends Found {
  readonly around: Depth | undefined;
}

/** The variables of a loop: `@index` and the like. `@../index` leads to those of the loop around. */
interface Frame {
  readonly values: Readonly<Record<string, unknown>>;
  readonly around: Frame | undefined;
}

/** The block parameters that are in force, the innermost first. */
interface Params {
  readonly names: readonly string[];
  readonly values: readonly Found[];
  readonly around: Params | undefined;
}

/** Where a tag looks names up. */
interface Scope {
  readonly here: Found;
  readonly depths: Depth;
  readonly frame: Frame;
  readonly params: Params | undefined;
}

/** The context of a block without a value, as in Handlebars; a section has none. */
const NOTHING: Readonly<Record<string, never>> = Object.freeze({});

/** The output of a part: text, or the value of `{{{name}}}`. */
type Rendered = string | number | boolean;

/** Handlebars joins the parts of a block with `+`: of `{{{a}}}{{{b}}}`, with no text before them, two numbers are added. */
const joined = (one: Rendered, other: Rendered): Rendered =>
  typeof one === 'string' || typeof other === 'string' ? `${one}${other}` : Number(one) + Number(other);

/** How a template is rendered. */
export interface RenderOptions {
  /** Whether `{{name}}` writes entities for what has a meaning in HTML. */
  readonly isEscaped: boolean;
  /** Is called with the place of each variable that was written or looped over, and was not given. */
  readonly onMissing?: (path: string) => void;
}

/**
 * Renders a template, as Handlebars does; but an empty object counts as false in `{{#if}}` and `{{#unless}}`.
 *
 * @throws {@link TemplateTooComplex} if it would take too long, or the result would be too large
 */
export function renderTemplate(
  { nodes }: Template,
  variables: Readonly<Record<string, unknown>>,
  options: RenderOptions,
): string {
  const here: Found = { value: variables, path: VARIABLES };
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
    return this.#options.isEscaped && !isRaw ? escape(text) : text;
  }

  /** A value that leaves a gap in the result if it was not given. */
  #needed(operand: Operand, scope: Scope): Found {
    const found = look(operand, scope);
    if (found.value === undefined && found.path !== undefined)
      this.#options.onMissing?.(pathText(found.path));
    return found;
  }

  #block(block: BlockNode, scope: Scope): Rendered {
    const inner = (found: Found, frame = scope.frame, values: readonly Found[] = []) =>
      this.nodes(block.inner, within(scope, found, frame, block.params, values));
    const self = block.name === 'section' ? scope.here : thisOf(scope);
    const same = () => inner(self);
    const otherwise = () => this.nodes(block.otherwise, within(scope, self, scope.frame, [], []));
    if (block.name === 'each') return this.#each(this.#needed(block.operand, scope), scope, inner, otherwise);
    const found = look(block.operand, scope);
    const { value } = found;
    switch (block.name) {
      case 'if':
        return isFalse(value) ? otherwise() : same();
      case 'unless':
        return isFalse(value) ? same() : otherwise();
      case 'with':
        return isEmpty(value) ? otherwise() : inner(found, scope.frame, [found]);
      case 'section':
        if (value === true) return same();
        if (value === false || value === undefined || value === null) return otherwise();
        return Array.isArray(value) ? this.#each(found, scope, inner, otherwise) : inner(found);
    }
  }

  #each(
    { value, path }: Found,
    scope: Scope,
    inner: (found: Found, frame: Frame, values: readonly Found[]) => Rendered,
    otherwise: () => Rendered,
  ): Rendered {
    const entries = entriesOf(value);
    if (entries.length === 0) return otherwise();
    this.#spend(entries.length);
    const last = entries.length - 1;
    let text = '';
    for (const [index, [key, one]] of entries.entries()) {
      const found = { value: one, path: path && { step: key, in: path } };
      const values = { ...scope.frame.values, key, index, first: index === 0, last: index === last };
      text += String(inner(found, { values, around: scope.frame }, [found, { value: key }]));
    }
    return text;
  }
}

/** The entries of a loop: the elements of a list with their numbers, or the fields of an object with their names. */
function entriesOf(value: unknown): [key: string | number, one: unknown][] {
  if (Array.isArray(value)) return value.map((one: unknown, index) => [index, one]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

const thisOf = ({ here }: Scope): Found =>
  here.value === undefined || here.value === null ? { ...here, value: NOTHING } : here;

/** The scope within a block. A block about the same value as the one around it is no step of `../`. */
function within(
  scope: Scope,
  here: Found,
  frame: Frame,
  names: readonly string[],
  values: readonly Found[],
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

/** Handlebars compares with `!=`: the text `'1'` within the number 1 is no step of `../`. */
function isAlike(one: unknown, other: unknown): boolean {
  try {
    return one == other;
  } catch {
    // A variable of its own is called `toString`.
    return false;
  }
}

function look(operand: Operand, scope: Scope): Found {
  if (operand.kind === 'literal') return { value: operand.value };
  const [head, ...rest] = operand.names;
  if (operand.depth === 0 && !operand.isScoped && head !== undefined) {
    const found = paramCalled(head, scope.params);
    if (found !== undefined) return follow(found, rest);
  }
  if (operand.isData) return lookAmongData(operand, scope.frame, scope);
  return follow(valueAt(operand.depth, scope), operand.names);
}

function paramCalled(name: string, params: Params | undefined): Found | undefined {
  if (params === undefined) return undefined;
  const index = params.names.indexOf(name);
  return index < 0 ? paramCalled(name, params.around) : (params.values[index] ?? { value: undefined });
}

/** `@root.name` is a variable like another one; the others are those of loops. */
function lookAmongData({ names, depth }: PathOperand, innermost: Frame, { depths }: Scope): Found {
  let frame: Frame | undefined = innermost;
  for (let left = depth; left > 0; left -= 1) frame = frame?.around;
  const [head = '', ...rest] = names;
  if (frame !== undefined && head === 'root') return follow(rootOf(depths), rest, true);
  return follow({ value: frame?.values }, names, true);
}

const rootOf = (depth: Depth): Found => (depth.around === undefined ? depth : rootOf(depth.around));

function valueAt(depth: number, { here, depths }: Scope): Found {
  if (depth === 0) return here;
  let at: Depth | undefined = depths;
  for (let left = depth; left > 0; left -= 1) at = at?.around;
  return at ?? { value: undefined };
}

const isEnd = (value: unknown, stopsAtFalse: boolean): boolean =>
  stopsAtFalse ? !value : value === undefined || value === null;

/** Goes from a value along names. The first one that is not there is the place of what is missing. */
function follow(from: Found, names: readonly string[], stopsAtFalse = false): Found {
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

/** A field of the value's own: what it inherits is none of the variables. A text has a length and characters. */
function ownField(value: unknown, name: string): unknown {
  return Object.hasOwn(Object(value) as object, name)
    ? (Object(value) as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Whether the service's `{{#if}}` takes a value for false: also an empty list, and an empty object. */
const isFalse = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : !value;

/** Whether `{{#with}}` takes a value for nothing. */
const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : !value && value !== 0;
