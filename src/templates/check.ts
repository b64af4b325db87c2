import type { Shape } from '../handlebars/shape.ts';
import { readSides } from './account.ts';
import type { TemplatesClient } from './client.ts';
import type { Compared } from './compare.ts';
import { TemplateError } from './errors.ts';
import { eachPart, partsOfFiles, partsOfHosted, type Parts } from './parts.ts';
import type { TemplateFolder } from './types.ts';
import { readVariables } from './variables.ts';

/** Options of {@link checkTemplates}. */
export interface TemplateCheckOptions {
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A difference between what the code passes and what a template in the service reads. */
export interface TemplateFinding {
  /** The name of the template's folder. */
  readonly folder: string;
  /**
   * `new`: the service reads a variable that the files do not. `gone`: the files read one that the service does not.
   * `required`: it may be left out by the files, and not by the service. `deleted`: the template is not in the service.
   * `broken`: the template in the service could not be rendered. `unpushed`: the folder was never pushed.
   */
  readonly kind: 'new' | 'gone' | 'required' | 'deleted' | 'broken' | 'unpushed';
  /** The variable, such as `items[].price`; undefined where it is about the whole template. */
  readonly variable: string | undefined;
  /** The difference, in a sentence. */
  readonly message: string;
  /** Whether emails are wrong: false for what differs only because the files were edited since the last push or pull. */
  readonly isFailure: boolean;
}

/** The result of a check. */
export interface TemplateCheck {
  /** The account. */
  readonly accountId: number;
  /** How many templates were compared. */
  readonly checked: number;
  /** The differences; sorted by folder. */
  readonly findings: readonly TemplateFinding[];
}

/**
 * Compares the variables that the files read, which are those that the code passes, with those that the templates in the
 * service read. It changes nothing on either side. One request, and one more where the client has no `accountId`.
 *
 * @param client - The client; the account is its `accountId`, or else the only one that its token can see.
 * @param folder - The path of the folder.
 * @throws {@link TemplateError} for files that cannot be read, `ConfigurationError` for an account that is not clear,
 * `AuthenticationError`, `PermissionDeniedError`, `RateLimitError`
 */
export async function checkTemplates(
  client: TemplatesClient,
  folder: string,
  options: TemplateCheckOptions = {},
): Promise<TemplateCheck> {
  const { accountId, comparison } = await readSides(client, folder, options.signal);
  const templates = comparison.templates.filter(({ files }) => files !== undefined);
  const checked = templates.filter(({ hosted }) => hosted !== undefined).length;
  return { accountId, checked, findings: templates.flatMap(findingsOf) };
}

function findingsOf(template: Compared): TemplateFinding[] {
  const { folder, files, hosted, entry } = template;
  const finding = (kind: TemplateFinding['kind'], message: string, isFailure: boolean, variable?: string) =>
    ({ folder, kind, variable, message, isFailure }) satisfies TemplateFinding;
  if (files === undefined) return [];
  const own = readVariables({ ...files, example: undefined });
  if (own.problems.length > 0) throw new TemplateError(own.problems);
  if (hosted === undefined)
    return entry?.id === undefined
      ? [finding('unpushed', 'was never pushed to the account', false)]
      : [finding('deleted', 'was deleted in the service', true)];
  const theirs = withParts(files, partsOfHosted(hosted));
  const { variables, problems } = readVariables(theirs);
  if (problems.length > 0)
    return problems.map(({ message, line }) =>
      finding('broken', `in the service${line === undefined ? '' : `, line ${line}`}: ${message}`, true),
    );
  const there = variablesIn(variables);
  const agreed = variablesIn(readVariables(withParts(files, agreedParts(template, files))).variables);
  const failures = differences(agreed, there);
  const isKnown = new Set(failures.map(({ kind, variable }) => `${kind} ${variable}`));
  const edited = differences(variablesIn(own.variables), there).filter(
    ({ kind, variable }) => !isKnown.has(`${kind} ${variable}`),
  );
  return [
    ...failures.map(({ kind, variable }) => finding(kind, `${variable} ${WORDS[kind]}`, true, variable)),
    ...edited.map(({ kind, variable }) =>
      finding(kind, `${EDITED[kind]} ${variable}: the files were edited since`, false, variable),
    ),
  ];
}

const WORDS = {
  new: 'is new in the service: the code does not pass it',
  gone: 'is gone in the service: the code passes it in vain',
  required: 'became required in the service: the code may leave it out',
} as const;

const EDITED = {
  new: 'the service still reads',
  gone: 'the service does not yet read',
  required: 'the service still requires',
} as const;

/**
 * The parts that the files had when both sides were last the same: a part that only the files have changed since is as the
 * service has it.
 */
function agreedParts({ hosted, changed }: Compared, files: TemplateFolder): Parts {
  const own = partsOfFiles(files);
  if (hosted === undefined || changed === undefined) return own;
  const theirs = partsOfHosted(hosted);
  return eachPart((part) => (changed[part] === 'files' ? theirs : own)[part]);
}

/** A template with other parts. What its files say besides, holds for those it has. */
function withParts(files: TemplateFolder, parts: Parts): TemplateFolder {
  const { subject, html, text } = parts;
  const other = { ...files, subject: subject ?? '', html, text, example: undefined };
  const known = variablesIn(readVariables({ ...other, optional: [] }).variables);
  return { ...other, optional: files.optional.filter((path) => known.has(path)) };
}

/** The variables that templates read, by their paths, and whether each is required. */
function variablesIn(shape: Shape, path = '', found = new Map<string, boolean>()): Map<string, boolean> {
  for (const [name, field] of shape.fields) {
    const own = path === '' ? name : `${path}.${name}`;
    found.set(own, field.neededAt !== undefined);
    variablesIn(field, own, found);
  }
  if (shape.item !== undefined) {
    found.set(`${path}[]`, false);
    variablesIn(shape.item, `${path}[]`, found);
  }
  return found;
}

function differences(before: ReadonlyMap<string, boolean>, there: ReadonlyMap<string, boolean>) {
  const found: { readonly kind: 'new' | 'gone' | 'required'; readonly variable: string }[] = [];
  for (const [variable, isRequired] of there) {
    if (!before.has(variable)) found.push({ kind: 'new', variable });
    else if (isRequired && before.get(variable) === false) found.push({ kind: 'required', variable });
  }
  for (const variable of before.keys()) if (!there.has(variable)) found.push({ kind: 'gone', variable });
  // Of a list that is new or gone, its fields say no more.
  const isInside = (inner: string, outer: string) =>
    inner !== outer && /^[.[]/.test(inner.slice(outer.length)) && inner.startsWith(outer);
  return found.filter(
    ({ kind, variable }) => !found.some((one) => one.kind === kind && isInside(variable, one.variable)),
  );
}
