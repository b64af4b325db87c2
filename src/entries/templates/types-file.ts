import { checkedTemplates, readFamilies, type CheckedTemplate, type ReadTemplate } from './checked.ts';
import { TemplateError, type TemplateProblem } from './errors.ts';
import { templateOf } from './languages.ts';
import { readFolder } from './read.ts';
import { isInside } from './shapes.ts';
import { typeOfVariables } from './type-text.ts';
import type { TemplateFolder } from './types.ts';

/** Options of {@link templateTypes}. */
export interface TemplateTypesOptions {
  /** The folder of the templates, relative to the generated file. */
  readonly from: string;
  /**
   * Whether the file is a CommonJS module, with the extension `.cts`.
   *
   * @defaultValue false
   */
  readonly isCommonJs?: boolean;
}

/** A template in the generated file. */
interface Generated {
  readonly template: TemplateFolder;
  readonly languages: readonly TemplateFolder[];
  readonly functionName: string;
  readonly typeName: string;
  readonly type: string;
  readonly takes: 'nothing' | 'optional' | 'required';
}

/**
 * Generates the TypeScript file with a function for each template, whose argument has the type of its variables.
 *
 * @returns The text of the file. The same templates always give the same text.
 * @throws {@link TemplateError} with file and line for templates that the service could not render, examples that do not fit
 * their template, and names that need `as`
 */
export function templateTypes(templates: readonly TemplateFolder[], options: TemplateTypesOptions): string {
  const { text, problems } = typesOf(readFamilies(templates), options);
  if (problems.length > 0) throw new TemplateError(problems);
  return text;
}

/** Options of {@link typesOfFolder}. */
export interface FolderTypesOptions extends TemplateTypesOptions {
  /** Names of templates or of their folders, with `*` and `?`: the file is for these alone. Empty for all templates. */
  readonly only?: readonly string[];
  /** @internal The templates that a watch has read: the folder is not read again. */
  readonly read?: ReadFamilies | undefined;
}

/** The file for the templates of a folder that have no problems. */
export interface FolderTypes {
  /** The text of the file. The same templates always give the same text. */
  readonly text: string;
  /** The number of templates in the file. */
  readonly count: number;
  /** The problems of the other templates, with file and line. */
  readonly problems: readonly TemplateProblem[];
  /** The variables that not every language of a template reads, which are no problems. */
  readonly notes: readonly TemplateProblem[];
}

/** The templates of a folder that can be read, each with its languages, and the problems of the others. */
export interface ReadFamilies {
  readonly families: readonly (readonly ReadTemplate[])[];
  readonly problems: readonly TemplateProblem[];
}

/**
 * Generates the file as {@link templateTypes} does, for the templates of a folder that have no problems: one template with a
 * problem does not keep the others from their types. `email-platform templates types` writes this file.
 *
 * @param folder - The path of the folder.
 * @throws {@link TemplateError} for a folder, a lock or a config that cannot be read, and for a name in `only` that no template
 * has
 */
export async function typesOfFolder(folder: string, options: FolderTypesOptions): Promise<FolderTypes> {
  const { families, problems: unreadable } = options.read ?? (await familiesIn(folder, options.only));
  const { text, count, problems, notes } = typesOf(families, options);
  return { text, count, problems: [...unreadable, ...problems], notes };
}

async function familiesIn(folder: string, only: readonly string[] = []): Promise<ReadFamilies> {
  const { templates, problems, selection, names } = await readFolder(folder, only);
  selection.checkOnly(names);
  const chosen = new Set(templates.map((one) => templateOf(one.folder)));
  // A name may be that of one language: the function is for all.
  const all = only.length === 0 ? templates : (await readFolder(folder)).templates;
  return { families: readFamilies(all.filter((one) => chosen.has(templateOf(one.folder)))), problems };
}

function typesOf(families: ReadFamilies['families'], options: TemplateTypesOptions) {
  const checked = checkedTemplates(families);
  const problems = checked.flatMap((one) => one.problems);
  const usable = checked.filter((one) => one.problems.length === 0);
  const notes = usable.flatMap(notesOf);
  return { text: fileOf(usable.map(generatedOf), options), problems, notes, count: usable.length };
}

/** The variables that not every language of a template reads. */
function notesOf({ template, languages }: CheckedTemplate): TemplateProblem[] {
  const read = [template, ...languages];
  const paths = new Set(read.flatMap(({ own }) => [...own]));
  const partial = [...paths].filter((path) => read.some(({ own }) => !own.has(path)));
  return partial.flatMap((path) => {
    // A list or an object stands for its fields.
    if (partial.some((other) => other !== path && isInside(path, other))) return [];
    const others = read.flatMap(({ files, own }) => (own.has(path) ? [] : [files.locale ?? '']));
    const message = `${path} is not read in ${others.join(', ')}`;
    return [{ file: template.files.path, line: undefined, message }];
  });
}

function generatedOf({ template, languages, functionName, typeName }: CheckedTemplate): Generated {
  const { files, variables } = template;
  const fields = [...variables.fields.values()];
  const takes =
    fields.length === 0 && variables.item === undefined
      ? 'nothing'
      : fields.every(({ neededAt }) => neededAt === undefined)
        ? 'optional'
        : 'required';
  const type = takes === 'nothing' ? EMPTY : typeOfVariables(variables, files.example);
  const others = languages.map((one) => one.files);
  return { template: files, languages: others, functionName, typeName, type, takes };
}

const EMPTY = 'Readonly<Record<string, never>>';

function fileOf(generated: readonly Generated[], { from, isCommonJs = false }: TemplateTypesOptions): string {
  const exported = isCommonJs ? '' : 'export ';
  const client = isCommonJs ? 'platform.EmailPlatform' : 'EmailPlatform';
  const types = generated.map(
    ({ template, typeName, type }) =>
      `/** The variables of the template ${inComment(template.name)}. */\n${exported}type ${typeName} = ${type};\n`,
  );
  const blocks = [
    `// Generated by \`email-platform templates types\` from ${from}. Do not edit: change the templates, and generate it again.\n/* eslint-disable */\n`,
    isCommonJs
      ? "import platform = require('email-platform');\n"
      : "import { templateUuid, type EmailPlatform, type TemplateUuids } from 'email-platform';\n",
    ...types,
    `/** The content of an email from a template, for \`send\`, and the base or the items of a batch. */\n${exported}type TemplateMail<Variables> = {\n  readonly template_uuid: string;\n  readonly template_variables: Variables;\n};\n`,
    interfaceOf(generated, exported),
    uuidsOf(generated, from, isCommonJs ? 'platform.TemplateUuids' : 'TemplateUuids'),
    functionOf(generated, exported, client, isCommonJs),
    ...(isCommonJs ? [moduleOf(generated, client)] : []),
  ];
  return blocks.join('\n');
}

function interfaceOf(generated: readonly Generated[], exported: string): string {
  const members = generated.map(({ template, functionName, typeName, takes }) => {
    const parameter = {
      nothing: '',
      optional: `variables?: ${typeName}`,
      required: `variables: ${typeName}`,
    };
    const parameters = hasLocale(template)
      ? `${takes === 'required' ? parameter.required : `variables?: ${typeName}`}, options?: { readonly locale?: string | undefined }`
      : parameter[takes];
    return `  /** ${inComment(template.name)}: ${inComment(template.subject)} */\n  readonly ${functionName}: (${parameters}) => TemplateMail<${typeName}>;\n`;
  });
  return `/** A function for each template. */\n${exported}interface Emails {\n${members.join('')}}\n`;
}

function functionOf(
  generated: readonly Generated[],
  exported: string,
  client: string,
  isCommonJs: boolean,
): string {
  const uuid = isCommonJs ? 'platform.templateUuid' : 'templateUuid';
  const members = generated.map(({ template, functionName, takes }) => {
    const isLocal = hasLocale(template);
    const head = isLocal
      ? {
          nothing: '(variables = {}, options)',
          optional: '(variables = {}, options)',
          required: '(variables, options)',
        }
      : { nothing: '()', optional: '(variables = {})', required: '(variables)' };
    const isEmpty = takes === 'nothing' && !isLocal;
    const variables = isEmpty ? 'template_variables: {}' : 'template_variables: variables';
    const folder = quoted(template.folder);
    return `    ${functionName}: ${head[takes]} => ({ template_uuid: ${uuid}(client, ${folder}, UUIDS${isLocal ? ', options' : ''}), ${variables} }),\n`;
  });
  return `/**
 * The templates, with their UUIDs in the account of a client. A template that was not pushed there throws a
 * \`ConfigurationError\` when it is called. In the account of emulators, 1001, at an emulator, tests need no push.
 */
${exported}function emails(client: Pick<${client}, 'accountId'>): Emails {
  return {
${members.join('')}  };
}
`;
}

function uuidsOf(generated: readonly Generated[], from: string, type: string): string {
  const all = generated.flatMap(({ template, languages }) => [template, ...languages]);
  const ids = new Set(all.flatMap(({ uuids, unpushed = [] }) => [...Object.keys(uuids), ...unpushed]));
  const accounts = [...ids].sort((one, other) => Number(one) - Number(other));
  const line = (indent: string, folder: string, uuid: string) =>
    `${indent}${quoted(folder)}: ${quoted(uuid)},\n`;
  const ofAccount = (id: string) =>
    all
      .flatMap(({ folder, uuids }) => (uuids[id] === undefined ? [] : line('      ', folder, uuids[id])))
      .join('');
  const folder = from.split('/').at(-1) ?? from;
  return `/** The UUIDs of the templates in each account of templates.lock.json; and those for tests before a push. */
const UUIDS: ${type} = {
  folder: ${quoted(folder)},
  accounts: {${accounts.map((id) => `\n    ${quoted(id)}: {\n${ofAccount(id)}    },`).join('')}${accounts.length > 0 ? '\n  ' : ''}},
  unpushed: {
${all.map(({ folder: own, uuid }) => line('    ', own, uuid)).join('')}  },
${languagesOf(generated)}};
`;
}

/** The languages of each template that has others than the default, and the default. */
function languagesOf(generated: readonly Generated[]): string {
  const lines = generated.flatMap(({ template, languages }) => {
    const names = languages.flatMap(({ locale }) => (locale === undefined ? [] : [quoted(locale)]));
    return names.length === 0 ? [] : [`    ${quoted(template.folder)}: [${names.join(', ')}],\n`];
  });
  const initial = generated.find(({ template }) => hasLocale(template))?.template.locale ?? '';
  return lines.length === 0 ? '' : `  languages: {\n${lines.join('')}  },\n  default: ${quoted(initial)},\n`;
}

/** Whether a template is from a folder with languages. */
const hasLocale = ({ locale }: TemplateFolder): boolean => locale !== undefined;

/** The exports of a CommonJS module, its types among them. */
function moduleOf(generated: readonly Generated[], client: string): string {
  const names = [...generated.map(({ typeName }) => typeName), 'Emails'];
  return `declare namespace generated {
  export { ${[...names, 'TemplateMail'].join(', ')} };
}
const generated: { readonly emails: (client: Pick<${client}, 'accountId'>) => Emails } = { emails };
export = generated;
`;
}

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Makes text of the service safe inside a comment. */
const inComment = (text: string) => text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim();
