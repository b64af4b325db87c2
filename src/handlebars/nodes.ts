/** A parsed template, for the renderer and for the types of its variables. */
export interface Template {
  readonly nodes: readonly TemplateNode[];
  /** Parts that the service does not support. They render nothing. */
  readonly problems: readonly TemplateProblem[];
}

/** A problem of a template, and its place: line and column, from 1. */
export interface TemplateProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A piece of a template: plain text, an output value, or a block. */
export type TemplateNode = TextNode | ValueNode | BlockNode;

/** Plain text. */
export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
}

/** `{{name}}`, or `{{{name}}}`, which is never escaped. */
export interface ValueNode {
  readonly kind: 'value';
  readonly operand: Operand;
  readonly isRaw: boolean;
  readonly line: number;
}

/** `{{#if …}}` and the like. A section is `{{#name}}` of a variable. */
export interface BlockNode {
  readonly kind: 'block';
  readonly name: BlockName | 'section';
  readonly operand: Operand;
  /** The names after `as`. */
  readonly params: readonly string[];
  readonly inner: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
  readonly line: number;
}

/** The blocks that the service has. */
export const BLOCK_NAMES = ['if', 'unless', 'each', 'with'] as const;
export type BlockName = (typeof BLOCK_NAMES)[number];

/** The operand of a tag: a path to a variable, or a literal. */
export type Operand = PathOperand | { readonly kind: 'literal'; readonly value: unknown };

/** A path, such as `../order.items`. */
export interface PathOperand {
  readonly kind: 'path';
  /** The number of `../` at its beginning. */
  readonly depth: number;
  /** Whether it begins with `@`. */
  readonly isData: boolean;
  /** Whether it begins with `this` or `./`, and so is not the name of a block parameter. */
  readonly isScoped: boolean;
  readonly names: readonly string[];
}
