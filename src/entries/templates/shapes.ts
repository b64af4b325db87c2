import type { Shape } from '../../handlebars/shape.ts';
import type { Parts } from './parts.ts';
import type { TemplateFolder } from './types.ts';
import { readVariables, type ParsedTexts } from './variables.ts';

/** A variable that one of two templates has, or that only the second one requires. */
export interface VariableChange {
  readonly kind: 'new' | 'gone' | 'required';
  readonly variable: string;
}

/** The differences between the variables of two templates. */
export const differencesOf = (before: TemplateFolder, there: TemplateFolder): VariableChange[] => {
  const read = (template: TemplateFolder) =>
    variablesIn(readVariables({ ...template, example: undefined, optional: [] }).variables);
  return differences(read(before), read(there));
};

/** A copy of a template with other parts. Keeps the names in `optional` that these parts read. */
export function withParts(files: TemplateFolder, parts: Parts): TemplateFolder {
  const { subject, html, text } = parts;
  const other = { ...files, subject: subject ?? '', html, text, example: undefined, unread: [] };
  const known = variablesIn(readVariables({ ...other, optional: [] }).variables);
  return { ...other, optional: files.optional.filter((path) => known.has(path)) };
}

/** The variables of templates by path, and whether each is required. */
export function variablesIn(
  shape: Shape,
  path = '',
  result = new Map<string, boolean>(),
): Map<string, boolean> {
  for (const [name, field] of shape.fields) {
    const own = path === '' ? name : `${path}.${name}`;
    result.set(own, field.neededAt !== undefined);
    variablesIn(field, own, result);
  }
  if (shape.item !== undefined) {
    result.set(`${path}[]`, false);
    variablesIn(shape.item, `${path}[]`, result);
  }
  return result;
}

/** Whether a variable is in an object or a list that is another one. */
export const isInside = (inner: string, outer: string): boolean =>
  inner !== outer && /^[.[]/.test(inner.slice(outer.length)) && inner.startsWith(outer);

/** The variables that a language reads itself. */
export const alone = (template: TemplateFolder, texts?: ParsedTexts): Shape =>
  readVariables({ ...withoutOthers(template), example: undefined, optional: [] }, texts).variables;

/** A language as if the template had no others. */
export const withoutOthers = (template: TemplateFolder): TemplateFolder =>
  template.language === undefined
    ? template
    : { ...template, language: { ...template.language, others: [] } };

export function differences(
  before: ReadonlyMap<string, boolean>,
  there: ReadonlyMap<string, boolean>,
): VariableChange[] {
  const result: VariableChange[] = [];
  for (const [variable, isRequired] of there) {
    if (!before.has(variable)) result.push({ kind: 'new', variable });
    else if (isRequired && before.get(variable) === false) result.push({ kind: 'required', variable });
  }
  for (const variable of before.keys()) if (!there.has(variable)) result.push({ kind: 'gone', variable });
  // Reports a new or gone list without its fields.
  return result.filter(
    ({ kind, variable }) => !result.some((one) => one.kind === kind && isInside(variable, one.variable)),
  );
}
