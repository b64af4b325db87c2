import { didYouMean } from '../../kit/did-you-mean.ts';
import { TemplateError, type TemplateProblem } from './errors.ts';
import { inside, lineOf, objectAt } from './files.ts';

/** The file with the settings of a folder of templates. */
export const CONFIG_FILE = 'templates.config.json';

/** The settings of a folder of templates. */
export interface TemplatesConfig {
  /** Names of templates, or of their folders, that every command ignores. `*` and `?` stand for other text. */
  readonly ignore: readonly string[];
  /** The languages of the templates, as BCP 47 tags. A folder of this name in a template's folder has its parts. */
  readonly languages: readonly string[];
  /** The language of the parts in the template's folder itself; undefined without languages. */
  readonly default: string | undefined;
}

/** A setting: its default, and its rule. */
interface Setting<Value> {
  readonly initial: Value;
  readonly isValid: (value: unknown) => value is Value;
  readonly rule: string;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '');

/** A language tag, as far as its form goes. */
const TAG = /^[a-z]{2,8}(?:-[a-z\d]{1,8})*$/i;

const isTags = (value: unknown): value is readonly string[] =>
  isTexts(value) &&
  value.every((one) => TAG.test(one)) &&
  new Set(value.map((one) => one.toLowerCase())).size === value.length;

const isTag = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && TAG.test(value));

const SETTINGS: { readonly [Name in keyof TemplatesConfig]: Setting<TemplatesConfig[Name]> } = {
  ignore: { initial: [], isValid: isTexts, rule: 'a list of names, such as ["Newsletter", "marketing-*"]' },
  languages: {
    initial: [],
    isValid: isTags,
    rule: 'a list of different language tags, such as ["en", "de", "de-AT"]',
  },
  default: { initial: undefined, isValid: isTag, rule: 'one of the languages, such as "en"' },
};

/**
 * Reads the settings of a folder of templates. Without the file, every setting has its default.
 *
 * @throws `TemplateError` with every problem of the file
 */
export async function readConfig(folder: string): Promise<TemplatesConfig> {
  const file = await objectAt(inside(folder, CONFIG_FILE));
  const fields = file?.fields ?? {};
  const problems: TemplateProblem[] = [];
  const report = (field: string, message: string) => {
    if (file !== undefined) problems.push({ file: file.path, line: lineOf(file, field), message });
  };
  const names = Object.keys(SETTINGS);
  for (const field of Object.keys(fields))
    if (!names.includes(field)) report(field, `"${field}" is unknown${didYouMean(field, names)}`);
  const valueOf = <Name extends keyof TemplatesConfig>(name: Name): TemplatesConfig[Name] => {
    const { initial, isValid, rule } = SETTINGS[name];
    const value = Object.hasOwn(fields, name) ? fields[name] : initial;
    if (isValid(value)) return value;
    report(name, `"${name}" must be ${rule}`);
    return initial;
  };
  const config = {
    ignore: valueOf('ignore'),
    languages: valueOf('languages'),
    default: valueOf('default'),
  };
  const { languages, default: initial } = config;
  if (problems.length === 0 && languages.length > 0 && initial === undefined)
    report('languages', '"languages" needs "default": the language of the parts in the folder of a template');
  if (problems.length === 0 && initial !== undefined && !languages.includes(initial))
    report('default', `"default" must be ${SETTINGS.default.rule}${didYouMean(initial, languages)}`);
  if (problems.length > 0) throw new TemplateError(problems);
  return config;
}
