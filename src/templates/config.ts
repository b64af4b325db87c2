import { didYouMean } from '../core/did-you-mean.ts';
import { TemplateError, type TemplateProblem } from './errors.ts';
import { inside, lineOf, objectAt } from './files.ts';

/** The file with the settings of a folder of templates. */
export const CONFIG_FILE = 'templates.config.json';

/** The settings of a folder of templates. */
export interface TemplatesConfig {
  /** Names of templates, or of their folders, that every command ignores. `*` and `?` stand for other text. */
  readonly ignore: readonly string[];
}

/** A setting: its default, and its rule. */
interface Setting<Value> {
  readonly initial: Value;
  readonly isValid: (value: unknown) => value is Value;
  readonly rule: string;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '');

const SETTINGS: { readonly [Name in keyof TemplatesConfig]: Setting<TemplatesConfig[Name]> } = {
  ignore: { initial: [], isValid: isTexts, rule: 'a list of names, such as ["Newsletter", "marketing-*"]' },
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
  const config = { ignore: valueOf('ignore') };
  if (problems.length > 0) throw new TemplateError(problems);
  return config;
}
