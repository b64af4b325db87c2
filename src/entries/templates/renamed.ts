import { inside, objectAt, writeText } from './files.ts';
import { pathOfTemplate } from './languages.ts';
import type { Parts } from './parts.ts';
import { differencesOf, withParts } from './shapes.ts';
import type { TemplateFolder } from './types.ts';
import { readVariables } from './variables.ts';

/** A variable with another name in the service. */
export interface TemplateVariableRename {
  /** The name of the template's folder. */
  readonly folder: string;
  /** The path of the variable before, such as `items[].price`. */
  readonly from: string;
  /** Its path now. */
  readonly to: string;
}

/** The path of the object that has a variable, and the variable's name in it. */
function stepsOf(path: string): { readonly parent: string; readonly name: string } {
  const at = path.lastIndexOf('.');
  return { parent: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}

/** Pairs the variables of one object, if one of them is gone and one is new: it was renamed. */
function renamesIn(files: TemplateFolder, parts: Parts): TemplateVariableRename[] {
  const found = differencesOf(files, withParts(files, parts));
  const parents = new Set(found.map(({ variable }) => stepsOf(variable).parent));
  return [...parents].flatMap((parent) => {
    const ofKind = (kind: string) =>
      found.filter((one) => one.kind === kind && stepsOf(one.variable).parent === parent);
    const [[gone, ...otherGone], [fresh, ...otherFresh]] = [ofKind('gone'), ofKind('new')];
    const isOne = otherGone.length === 0 && otherFresh.length === 0;
    return gone !== undefined && fresh !== undefined && isOne
      ? [{ folder: files.folder, from: gone.variable, to: fresh.variable }]
      : [];
  });
}

/**
 * Writes the variables that the service renamed into `example.json`, and into `optional` of `template.json`. A variable
 * keeps its old name if its value in the example does not fit the new one.
 *
 * @param parts - the parts after the pull
 */
export async function renameVariables(
  files: TemplateFolder,
  parts: Parts,
): Promise<TemplateVariableRename[]> {
  const done: TemplateVariableRename[] = [];
  let current = { ...files, ...withParts(files, parts), example: files.example, optional: files.optional };
  for (const one of renamesIn(files, parts)) {
    const next = {
      ...current,
      example: current.example && (renamedIn(current.example, one) as typeof current.example),
      optional: current.optional.map((path) => renamedPath(path, one)),
    };
    const [before, after] = [messagesOf(current), messagesOf(next)];
    if (after.length >= before.length || after.some((message) => !before.includes(message))) continue;
    done.push(one);
    current = next;
  }
  if (done.length === 0) return done;
  const write = async (name: string, fields: (before: Readonly<Record<string, unknown>>) => unknown) => {
    const path = inside(pathOfTemplate(files), name);
    const before = await objectAt(path);
    if (before !== undefined) await writeText(path, `${JSON.stringify(fields(before.fields), null, 2)}\n`);
  };
  const { example, optional } = current;
  if (example !== files.example) await write('example.json', () => example);
  if (optional.some((path, index) => path !== files.optional[index]))
    await write('template.json', (before) => ({ ...before, optional }));
  return done;
}

const messagesOf = (template: TemplateFolder) =>
  readVariables(template).problems.map(({ message }) => message);

/** A path after a renaming of it, or of an object that it goes through. */
function renamedPath(path: string, { from, to }: TemplateVariableRename): string {
  const rest = path.slice(from.length);
  return path.startsWith(from) && /^($|[.[])/.test(rest) ? `${to}${rest}` : path;
}

/** A value in which a variable has its new name, in each item of the lists on its path. */
function renamedIn(value: unknown, { from, to }: TemplateVariableRename): unknown {
  const { parent, name } = stepsOf(from);
  return inEach(value, parent === '' ? [] : parent.replaceAll('[]', '.[]').split('.'), (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([key, one]) => [key === name ? stepsOf(to).name : key, one]),
    ),
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Changes the objects at the end of a path, in copies. */
function inEach(
  value: unknown,
  [step, ...steps]: readonly string[],
  change: (fields: Fields) => Fields,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (step === '[]')
    return Array.isArray(value)
      ? value.map((one: unknown) => inEach(one, steps, change))
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inEach(one, steps, change)]));
  if (Array.isArray(value)) return value;
  const fields = value as Fields;
  if (step === undefined) return change(fields);
  return Object.hasOwn(fields, step) ? { ...fields, [step]: inEach(fields[step], steps, change) } : fields;
}
