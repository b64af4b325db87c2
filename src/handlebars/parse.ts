import { parse } from '@handlebars/parser';
import { unclosedBlock } from './blocks.ts';
import { TemplateSyntaxError, TemplateTooComplex } from './errors.ts';
import { BLOCK_NAMES, type BlockNode, type Operand, type Template, type TemplateNode } from './nodes.ts';

/** A node of the parser's tree, with the fields that are read. Its own types leave out which node has which. */
interface Parsed {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
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
    return parse(text) as unknown as ParsedProgram;
  } catch (error) {
    if (error instanceof RangeError) throw new TemplateTooComplex();
    throw syntaxError(error, unclosed);
  }
}

/** What the parser says of an error: its own words are a list of the tokens of its grammar. */
interface ParserError {
  readonly message: string;
  readonly lineNumber?: number;
  readonly hash?: {
    readonly text?: string;
    readonly token?: unknown;
    readonly line: number;
    readonly loc?: { readonly last_line: number };
  };
}

function syntaxError(error: unknown, unclosed: ReturnType<typeof unclosedBlock>): TemplateSyntaxError {
  const { message, lineNumber, hash } = error as ParserError;
  const isAtEnd = hash?.token === 'EOF' || hash?.token === 1;
  if (isAtEnd && unclosed !== undefined)
    return new TemplateSyntaxError(`${unclosed.tag} is not closed`, unclosed.line);
  const line = lineNumber ?? hash?.loc?.last_line ?? (hash?.line ?? 0) + 1;
  // A mismatch of blocks, or a path such as `a/../b`, has a message of its own, with its place at the end.
  if (hash === undefined) return new TemplateSyntaxError(message.replace(/ - \d+:\d+$/, ''), line);
  const found = isAtEnd ? 'it ends within a tag' : `${quoted(hash.text)} is not expected there`;
  return new TemplateSyntaxError(hash.text === undefined ? 'a tag cannot be read' : found, line);
}

const quoted = (text = '') => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Names that Handlebars takes for a helper where they stand alone, whatever variables there are. */
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

/** Makes the package's own nodes of the parser's. */
class Reader {
  readonly problems: { message: string; line: number }[] = [];
  /** The block parameters that are in force. */
  #params: readonly string[] = [];

  nodes(program: ParsedProgram | undefined): TemplateNode[] {
    return (program?.body ?? []).flatMap((statement) => this.#statement(statement) ?? []);
  }

  #statement(statement: Parsed): TemplateNode | undefined {
    switch (statement.type) {
      case 'ContentStatement':
        return statement.value === '' ? undefined : { kind: 'text', text: String(statement.value) };
      case 'CommentStatement':
        return undefined;
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

  #lacks(what: string, { loc }: Parsed): undefined {
    this.problems.push({ message: `the service has no ${what}`, line: loc.start.line });
  }

  #value(statement: Parsed): TemplateNode | undefined {
    const { path, params = [], hash, escaped, loc } = statement;
    if (path === undefined || this.#isHelper(path, params, hash))
      return this.#lacks(`helper ${named(path)}`, statement);
    const operand = this.#variable(path);
    return operand && { kind: 'value', operand, isRaw: escaped === false, line: loc.start.line };
  }

  #isHelper(path: Parsed, params: readonly Parsed[], hash: Parsed['hash']): boolean {
    if (params.length > 0 || hash !== undefined || path.type === 'HashLiteral') return true;
    const name = nameAlone(path);
    return name !== undefined && HELPER_NAMES.includes(name) && !this.#params.includes(name);
  }

  #block(statement: Parsed): TemplateNode | undefined {
    const { path, params = [], hash, program, inverse, loc } = statement;
    const name = nameAlone(path);
    const line = loc.start.line;
    const names = program?.blockParams ?? [];
    if (path === undefined || (!isBlockName(name) && this.#isHelper(path, params, hash)))
      return this.#lacks(`helper ${named(path)}`, statement);
    if (!isBlockName(name)) {
      const what = named(path);
      const message = `the service documents no {{#${what}}}: write {{#if ${what}}}, {{#each ${what}}} or {{#with ${what}}}`;
      this.problems.push({ message, line });
      const operand = this.#variable(path);
      return operand && this.#whole({ name: 'section', operand, line }, names, program, inverse);
    }
    const [first, ...others] = params;
    if (first === undefined || others.length > 0) return this.#wrong(`{{#${name}}} takes one value`, line);
    for (const { key } of hash?.pairs ?? []) this.#wrong(`{{#${name}}} takes no ${key}=`, line);
    if (names.length > 0 && name !== 'each' && name !== 'with')
      this.#wrong(`{{#${name}}} has no block parameters`, line);
    const operand = this.#operand(first);
    return operand && this.#whole({ name, operand, line }, names, program, inverse);
  }

  #wrong(message: string, line: number): undefined {
    this.problems.push({ message, line });
  }

  #whole(
    head: Pick<BlockNode, 'name' | 'operand' | 'line'>,
    params: readonly string[],
    program: ParsedProgram | undefined,
    inverse: ParsedProgram | undefined,
  ): BlockNode {
    const outer = this.#params;
    this.#params = [...params, ...outer];
    const inner = this.nodes(program);
    this.#params = outer;
    return { kind: 'block', ...head, params, inner, otherwise: this.nodes(inverse) };
  }

  /** What a tag of its own is about: there, a literal is the name of a variable. */
  #variable(path: Parsed): Operand | undefined {
    if (!path.type.endsWith('Literal')) return this.#operand(path);
    const name = String('original' in path ? path.original : undefined);
    return { kind: 'path', depth: 0, isData: false, isScoped: false, names: [name] };
  }

  #operand(given: Parsed): Operand | undefined {
    if (given.type === 'SubExpression') return this.#lacks(`helper ${named(given.path)}`, given);
    if (given.type.endsWith('Literal')) return { kind: 'literal', value: given.value };
    const { depth = 0, data: isData = false, parts = [], original = '' } = given;
    const helper = parts.find((part): part is Parsed => typeof part !== 'string');
    if (helper !== undefined) return this.#lacks(`helper ${named(helper.path)}`, given);
    const isParam = depth === 0 && this.#params.includes(String(parts[0]));
    if (isData && !isParam && !DATA_NAMES.includes(parts[0]))
      this.#wrong(`the service has no @${String(parts[0])}`, given.loc.start.line);
    const isScoped = /^\.|this\b/.test(String(original));
    return { kind: 'path', depth, isData, isScoped, names: parts as readonly string[] };
  }
}

/** The name of a path that is nothing but a name: only that can be a helper's. */
function nameAlone(path: Parsed | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (path.type.endsWith('Literal')) return String(path.original);
  const isAlone =
    path.parts?.length === 1 && path.depth === 0 && !/^\.|this\b/.test(String(path.original ?? ''));
  return isAlone && typeof path.parts[0] === 'string' ? path.parts[0] : undefined;
}

const named = (path: Parsed | undefined): string => String(path?.original ?? path?.path?.original ?? '');
