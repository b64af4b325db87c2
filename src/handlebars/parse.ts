import { parse } from '@handlebars/parser';
import { unclosedBlock } from './blocks.ts';
import { TemplateSyntaxError, TemplateTooComplex } from './errors.ts';
import {
  BLOCK_NAMES,
  type BlockName,
  type BlockNode,
  type Operand,
  type Template,
  type TemplateNode,
  type TemplateProblem,
} from './nodes.ts';
import { textOf } from './text.ts';

/** A node of the parser's tree, with the used fields. The parser's types do not say which node has which field. */
interface Parsed {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly value?: unknown;
  readonly original?: unknown;
  readonly escaped?: boolean;
  readonly path?: Parsed;
  readonly name?: Parsed;
  readonly params?: readonly Parsed[];
  readonly hash?: { readonly pairs: readonly { readonly key: string }[] };
  readonly data?: boolean;
  readonly depth?: number;
  readonly parts?: readonly unknown[];
  readonly program?: ParsedProgram;
  readonly inverse?: ParsedProgram;
}

interface ParsedProgram {
  readonly body: readonly Parsed[];
  readonly blockParams?: readonly string[];
}

/**
 * Reads a template.
 *
 * @throws {@link TemplateSyntaxError} if it is not Handlebars, {@link TemplateTooComplex} if it is nested too deep
 */
export function parseTemplate(text: string): Template {
  if (!text.includes('{{')) return { nodes: text === '' ? [] : [{ kind: 'text', text }], problems: [] };
  const unclosed = unclosedBlock(text);
  const reader = new Reader();
  return { nodes: reader.nodes(tree(text, unclosed)), problems: reader.problems };
}

function tree(text: string, unclosed: ReturnType<typeof unclosedBlock>): ParsedProgram {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw new TemplateTooComplex();
    throw syntaxError(error, unclosed);
  }
}

/** The fields of a parser's error. Its message lists the tokens of its grammar. */
interface ParserError {
  readonly message: string;
  readonly lineNumber?: number;
  readonly column?: number;
  readonly hash?: {
    readonly text?: string;
    readonly token?: unknown;
    readonly line: number;
    readonly loc?: { readonly last_line: number; readonly last_column: number };
  };
}

function syntaxError(error: unknown, unclosed: ReturnType<typeof unclosedBlock>): TemplateSyntaxError {
  const { message, lineNumber, column, hash } = error as ParserError;
  const isAtEnd = hash?.token === 'EOF' || hash?.token === 1;
  if (isAtEnd && unclosed !== undefined)
    return new TemplateSyntaxError(`${unclosed.tag} is not closed`, unclosed);
  const place = {
    line: lineNumber ?? hash?.loc?.last_line ?? (hash?.line ?? 0) + 1,
    // The parser counts columns from 0.
    column: (column ?? hash?.loc?.last_column ?? 0) + 1,
  };
  // A mismatch of blocks, or a path such as `a/../b`, has a special message with its place at the end.
  if (hash === undefined) return new TemplateSyntaxError(message.replace(/ - \d+:\d+$/, ''), place);
  const found = isAtEnd ? 'it ends within a tag' : `${quoted(hash.text)} is not expected there`;
  return new TemplateSyntaxError(hash.text === undefined ? 'a tag cannot be read' : found, place);
}

const quoted = (text = '') => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Names that Handlebars reads as a helper if they stand alone, even if a variable has the name. */
const HELPER_NAMES: readonly string[] = [
  ...BLOCK_NAMES,
  'log',
  'lookup',
  'helperMissing',
  'blockHelperMissing',
];

/** The variables that Handlebars itself supplies. */
const DATA_NAMES: readonly unknown[] = ['root', 'index', 'key', 'first', 'last'];

const isBlockName = (name: unknown): name is (typeof BLOCK_NAMES)[number] =>
  (BLOCK_NAMES as readonly unknown[]).includes(name);

/** Converts the parser's nodes to the package's nodes. */
class Reader {
  readonly problems: TemplateProblem[] = [];
  /** The block parameters in scope. */
  #params: readonly string[] = [];

  nodes(program: ParsedProgram | undefined): TemplateNode[] {
    return (program?.body ?? []).flatMap((statement) => this.#statement(statement));
  }

  #statement(statement: Parsed): readonly TemplateNode[] {
    switch (statement.type) {
      case 'ContentStatement':
        return statement.value === '' ? [] : [{ kind: 'text', text: textOf(statement.value) }];
      case 'CommentStatement':
        return [];
      case 'MustacheStatement':
        return this.#value(statement);
      case 'BlockStatement':
        return this.#block(statement);
      case 'PartialStatement':
      case 'PartialBlockStatement':
        return this.#lacks(`partials, such as {{> ${named(statement.name)}}}`, statement);
      default:
        return this.#lacks(`decorators, such as {{* ${named(statement.path)}}}`, statement);
    }
  }

  #report(message: string, { loc }: Parsed): void {
    this.problems.push({ message, line: loc.start.line, column: loc.start.column + 1 });
  }

  /** Reports a part that the service does not support. It renders nothing. */
  #lacks(what: string, statement: Parsed): readonly never[] {
    this.#report(`the service has no ${what}`, statement);
    return [];
  }

  #value(statement: Parsed): readonly TemplateNode[] {
    const { path, params = [], hash, escaped, loc } = statement;
    if (path === undefined || this.#isHelper(path, params, hash))
      return this.#lacks(`helper ${named(path)}`, statement);
    const operand = this.#variable(path);
    return operand ? [{ kind: 'value', operand, isRaw: escaped === false, line: loc.start.line }] : [];
  }

  #isHelper(path: Parsed, params: readonly Parsed[], hash: Parsed['hash']): boolean {
    if (params.length > 0 || hash !== undefined || path.type === 'HashLiteral') return true;
    const name = nameAlone(path);
    return name !== undefined && HELPER_NAMES.includes(name) && !this.#params.includes(name);
  }

  #block(statement: Parsed): readonly TemplateNode[] {
    const { path, params = [], hash, program } = statement;
    const name = nameAlone(path);
    if (isBlockName(name)) return this.#documentedBlock(name, statement);
    if (path === undefined || this.#isHelper(path, params, hash))
      return this.#lacks(`helper ${named(path)}`, statement);
    const what = named(path);
    const isInverse = program === undefined;
    const remedies = isInverse
      ? `{{#unless ${what}}}`
      : `{{#if ${what}}}, {{#each ${what}}} or {{#with ${what}}}`;
    this.#report(
      `the service documents no {{${isInverse ? '^' : '#'}${what}}}: write ${remedies}`,
      statement,
    );
    return this.#whole('section', this.#variable(path), statement, program?.blockParams);
  }

  #documentedBlock(name: BlockName, statement: Parsed): readonly TemplateNode[] {
    const [about, ...others] = statement.params ?? [];
    if (about === undefined || others.length > 0) {
      this.#report(`{{#${name}}} takes one value`, statement);
      return [];
    }
    for (const { key } of statement.hash?.pairs ?? [])
      this.#report(`{{#${name}}} takes no ${key}=`, statement);
    const names = statement.program?.blockParams ?? [];
    if (names.length > 0 && name !== 'each' && name !== 'with')
      this.#report(`{{#${name}}} has no block parameters`, statement);
    return this.#whole(name, this.#operand(about), statement, names);
  }

  #whole(
    name: BlockNode['name'],
    operand: Operand | undefined,
    { program, inverse, loc }: Parsed,
    params: readonly string[] = [],
  ): readonly TemplateNode[] {
    if (operand === undefined) return [];
    const outer = this.#params;
    this.#params = [...params, ...outer];
    const inner = this.nodes(program);
    this.#params = outer;
    const otherwise = this.nodes(inverse);
    return [{ kind: 'block', name, operand, params, inner, otherwise, line: loc.start.line }];
  }

  /** The operand of a tag without a helper: a literal there is the name of a variable. */
  #variable(path: Parsed): Operand | undefined {
    if (!path.type.endsWith('Literal')) return this.#operand(path);
    const name = String('original' in path ? path.original : undefined);
    return { kind: 'path', depth: 0, isData: false, isScoped: false, names: [name] };
  }

  /** The operand of a tag; undefined if only a helper could compute it. */
  #operand(path: Parsed): Operand | undefined {
    if (path.type.endsWith('Literal')) return { kind: 'literal', value: path.value };
    const { depth = 0, data: isData = false, parts = [] } = path;
    const helper = [path, ...(parts as readonly Parsed[])].find(({ type }) => type === 'SubExpression');
    if (helper !== undefined) {
      this.#lacks(`helper ${named(helper.path)}`, path);
      return undefined;
    }
    const names = parts as readonly string[];
    const isParam = depth === 0 && this.#params.includes(names[0] ?? '');
    if (isData && !isParam && !DATA_NAMES.includes(names[0]))
      this.#report(`the service has no @${names[0] ?? ''}`, path);
    return { kind: 'path', depth, isData, isScoped: isScoped(path), names };
  }
}

/** Whether a path begins with `this` or with dots. */
const isScoped = ({ original }: Parsed): boolean => /^\.|this\b/.test(textOf(original));

/** The name of a path that is only a name: only such a path can be a helper. */
function nameAlone(path: Parsed | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (path.type.endsWith('Literal')) return String(path.original);
  const [name, ...others] = path.parts ?? [];
  const isAlone = others.length === 0 && path.depth === 0 && !isScoped(path);
  return isAlone && typeof name === 'string' ? name : undefined;
}

const named = (path: Parsed | undefined): string => textOf(path?.original ?? path?.path?.original);
