import { PARTS } from '../../handlebars/mail.ts';
import { readSides } from './account.ts';
import type { TemplatesClient } from './client.ts';
import { deletedText, type Compared } from './compare.ts';
import { problemText } from './errors.ts';
import { eachPart, partsOfFiles, partsOfHosted, type Parts } from './parts.ts';
import { alone, differences, variablesIn, withParts, type VariableChange } from './shapes.ts';
import type { TemplateFolder } from './types.ts';
import { readVariables } from './variables.ts';

/** Options of {@link checkTemplates}. */
export interface TemplateCheckOptions {
  /**
   * Names of templates, or of their folders, with `*` for any text and `?` for one character. The others are not
   * checked.
   *
   * @defaultValue all that `ignore` in `templates.config.json` does not name
   */
  readonly only?: readonly string[] | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A difference between the variables that the code passes and those that a template in the service reads. */
export interface TemplateFinding {
  /** The name of the template's folder. */
  readonly folder: string;
  /**
   * The kind of difference:
   *
   * - `new`: the service reads a variable that the files do not read.
   * - `gone`: the files read a variable that the service does not read.
   * - `required`: the variable is optional in the files, and required in the service.
   * - `deleted`: the template is not in the service.
   * - `broken`: the template in the service, or in the files, cannot be rendered.
   * - `unpushed`: the folder was never pushed to the account.
   * - `taken`: the folder of a language lacks parts, which it takes from another language.
   */
  readonly kind: 'new' | 'gone' | 'required' | 'deleted' | 'broken' | 'unpushed' | 'taken';
  /** The variable, such as `items[].price`; undefined if the difference concerns the whole template. */
  readonly variable: string | undefined;
  /** The difference, in a sentence. */
  readonly message: string;
  /**
   * Whether emails are wrong: false for parts that a language takes from another, and for a difference that only exists
   * because the files were edited since the last push or pull.
   */
  readonly isFailure: boolean;
}

/** The result of a check. */
export interface TemplateCheck {
  /** The account. */
  readonly accountId: number;
  /** Number of compared templates. */
  readonly checked: number;
  /** The differences; sorted by folder. */
  readonly findings: readonly TemplateFinding[];
}

/**
 * Compares the variables of the files, which the code passes, with the variables of the templates in the service. It
 * changes nothing on either side. It takes one request, and one more if the client has no `accountId`.
 *
 * @param client - The client; its account is `accountId`, or the only one that its token can see.
 * @param folder - The path of the folder.
 * @throws {@link TemplateError} for unreadable files, `ConfigurationError` for an ambiguous account,
 * `AuthenticationError`, `PermissionDeniedError`, `RateLimitError`
 */
export async function checkTemplates(
  client: TemplatesClient,
  folder: string,
  options: TemplateCheckOptions = {},
): Promise<TemplateCheck> {
  const { accountId, comparison } = await readSides(client, folder, options);
  const templates = comparison.templates.filter(({ files }) => files !== undefined);
  const checked = templates.filter(({ hosted }) => hosted !== undefined).length;
  const findings = templates.flatMap((one) => [...findingsOf(one), ...takenOf(one)]);
  return { accountId, checked, findings };
}

/** The parts that a language takes from another one. */
function takenOf({ folder, files }: Compared): TemplateFinding[] {
  const { taken = {} } = files?.language ?? {};
  // All languages usually share a category.
  const parts = PARTS.flatMap((part) => {
    const from = (files?.[part] ?? '') === '' ? undefined : taken[part]?.locale;
    return from === undefined ? [] : [{ part, from }];
  });
  if (parts.length === 0) return [];
  const texts = [...new Set(parts.map(({ from }) => from))].map((locale) => {
    const own = parts.flatMap(({ part, from }) => (from === locale ? [part] : []));
    return `${own.join(', ')} from ${locale}`;
  });
  const message = `takes ${texts.join(', and ')}`;
  return [{ folder, kind: 'taken', variable: undefined, message, isFailure: false }];
}

function findingsOf(template: Compared): TemplateFinding[] {
  const { folder, files, hosted, entry } = template;
  const finding = (kind: TemplateFinding['kind'], message: string, isFailure: boolean, variable?: string) =>
    ({ folder, kind, variable, message, isFailure }) satisfies TemplateFinding;
  if (files === undefined) return [];
  const own = readVariables({ ...files, example: undefined });
  if (own.problems.length > 0)
    return own.problems.map((problem) => finding('broken', problemText(problem), true));
  if (hosted === undefined)
    return entry?.id === undefined
      ? [finding('unpushed', 'was never pushed to the account', true)]
      : [finding('deleted', deletedText(folder), true)];
  const theirs = withParts(files, partsOfHosted(hosted));
  const { variables, problems } = readVariables(theirs);
  if (problems.length > 0)
    return problems.map(({ message, line }) =>
      finding('broken', `in the service${line === undefined ? '' : `, line ${line}`}: ${message}`, true),
    );
  const there = variablesIn(variables);
  const before = withParts(files, agreedParts(template, files));
  // The code passes the variables of all languages, so that only a language's own can be gone.
  const differing = (one: TemplateFolder, other: TemplateFolder) => {
    const isGone = ({ kind }: VariableChange) => kind === 'gone';
    const ofAll = differences(variablesIn(readVariables(one).variables), there);
    const ofOwn = differences(variablesIn(alone(one)), variablesIn(alone(other)));
    return [...ofAll.filter((change) => !isGone(change)), ...ofOwn.filter(isGone)];
  };
  const failures = differing(before, theirs);
  const isKnown = new Set(failures.map(({ kind, variable }) => `${kind} ${variable}`));
  const edited = differing({ ...files, example: undefined }, theirs).filter(
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
  gone: 'is gone in the service: the code passes it for nothing',
  required: 'became required in the service: the code may leave it out',
} as const;

const EDITED = {
  new: 'the service still reads',
  gone: 'the service does not yet read',
  required: 'the service still requires',
} as const;

/**
 * The parts of the last state that both sides had in common: a part that only the files changed since then comes from
 * the service.
 */
function agreedParts({ hosted, changed }: Compared, files: TemplateFolder): Parts {
  const own = partsOfFiles(files);
  if (hosted === undefined || changed === undefined) return own;
  const theirs = partsOfHosted(hosted);
  return eachPart((part) => (changed[part] === 'files' ? theirs : own)[part]);
}
