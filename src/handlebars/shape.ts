import type { BlockNode, Operand, Template, TemplateNode } from './nodes.ts';

/** The uses of a variable in templates, from which its type follows. */
export class Shape {
  /** The fields that templates read by name. */
  readonly fields = new Map<string, Shape>();
  /** The shape of its elements, if it is looped over. */
  item: Shape | undefined;
  /** Whether `{{#each}}` loops over it. If not, a template may read its elements by numbers, which are keys or indexes. */
  isLooped = false;
  /** Whether it is written as text. */
  isWritten = false;
  /** Whether the loop over it reads `@key`: it may be an object. */
  hasKeys = false;
  /** The place of a read outside a condition on the variable itself, which makes it required. */
  neededAt: Place | undefined;

  /** The shape of a field. */
  field(name: string): Shape {
    // A number leads to an element of a list, or of an object with numeric keys.
    if (/^\d+$/.test(name)) return this.element();
    const known = this.fields.get(name);
    if (known !== undefined) return known;
    const made = new Shape();
    this.fields.set(name, made);
    return made;
  }

  /** The shape of each element. */
  element(): Shape {
    return (this.item ??= new Shape());
  }
}

/** The place in a template that reads a variable. */
export interface Place {
  /** The part of the template, such as `body.html`. */
  readonly part: string;
  /** The line in it, from 1. */
  readonly line: number;
}

/** The scope of a block: the variables that its tags can refer to. */
interface Scope {
  readonly here: Shape;
  /** The shapes that `../` leads to, the innermost first. */
  readonly around: readonly Shape[];
  /** The lists of the loops that it is in, the innermost first. */
  readonly loops: readonly Shape[];
  readonly params: ReadonlyMap<string, Shape>;
  /** The variables in the conditions around it. */
  readonly guards: ReadonlySet<Shape>;
}

/** Adds the reads of a template's part to the shape of the variables. */
export function readInto(variables: Shape, part: string, { nodes }: Template): void {
  const scope = {
    here: variables,
    around: [],
    loops: [],
    params: new Map<string, Shape>(),
    guards: new Set<Shape>(),
  };
  new Walk(variables, part).nodes(nodes, scope);
}

class Walk {
  readonly #variables: Shape;
  readonly #part: string;

  constructor(variables: Shape, part: string) {
    this.#variables = variables;
    this.#part = part;
  }

  nodes(nodes: readonly TemplateNode[], scope: Scope): void {
    for (const node of nodes) {
      if (node.kind === 'value') this.#read(node.operand, scope, node.line).isWritten = true;
      if (node.kind === 'block') this.#block(node, scope);
    }
  }

  #block(block: BlockNode, scope: Scope): void {
    const { name, operand, inner, otherwise, params, line } = block;
    if (name === 'each') {
      const list = this.#read(operand, scope, line);
      list.isLooped = true;
      const named = new Map(scope.params);
      for (const [index, param] of params.entries())
        named.set(param, index === 0 ? list.element() : new Shape());
      const loops = [list, ...scope.loops];
      this.nodes(inner, { ...within(scope, list.element()), loops, params: named });
      this.nodes(otherwise, scope);
      return;
    }
    const about = this.#read(operand, scope, line, true);
    if (name === 'section') {
      // The value decides between a condition, a loop and a context, so the whole variable counts as used.
      about.isWritten = true;
      this.nodes(inner, { ...scope, around: [scope.here, ...scope.around] });
      this.nodes(otherwise, scope);
      return;
    }
    const guarded = { ...scope, guards: new Set([...scope.guards, about]) };
    const named = new Map(scope.params);
    for (const [index, param] of params.entries()) named.set(param, index === 0 ? about : new Shape());
    this.nodes(inner, name === 'with' ? { ...within(guarded, about), params: named } : guarded);
    this.nodes(otherwise, guarded);
  }

  /**
   * The shape of a tag's operand. A variable that the tag only tests is optional; the variables on the path to it are
   * required.
   */
  #read(operand: Operand, scope: Scope, line: number, isTest = false): Shape {
    if (operand.kind === 'literal') return new Shape();
    let { names } = operand;
    let from = shapeAt(operand.depth, scope);
    const param = operand.isScoped || operand.depth > 0 ? undefined : scope.params.get(names[0] ?? '');
    if (param !== undefined) [from, names] = [param, names.slice(1)];
    else if (operand.isData && names[0] === 'root') [from, names] = [this.#variables, names.slice(1)];
    else if (operand.isData) {
      const loop = names[0] === 'key' ? scope.loops[operand.depth] : undefined;
      if (loop !== undefined) loop.hasKeys = true;
      return new Shape();
    }
    const place = { part: this.#part, line };
    for (const [index, name] of names.entries()) {
      from = from.field(name);
      const isNeeded = !(isTest && index === names.length - 1) && !scope.guards.has(from);
      if (isNeeded) from.neededAt ??= place;
    }
    return from;
  }
}

/** The scope of a block with another value. A block with the same value does not count for `../`. */
const within = (scope: Scope, here: Shape): Scope =>
  here === scope.here ? scope : { ...scope, here, around: [scope.here, ...scope.around] };

const shapeAt = (depth: number, { here, around }: Scope): Shape =>
  depth === 0 ? here : (around[depth - 1] ?? new Shape());
