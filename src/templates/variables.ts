import { didYouMean } from '../core/did-you-mean.ts';
import { TemplateSyntaxError, TemplateTooComplex } from '../handlebars/errors.ts';
import { PARTS, type MailParts } from '../handlebars/mail.ts';
import { parseTemplate } from '../handlebars/parse.ts';
import { readInto, Shape, type Place } from '../handlebars/shape.ts';
import { unusedIn } from '../handlebars/unused.ts';
import type { TemplateProblem } from './errors.ts';
import { CONFLICT, conflictLine, inside } from './files.ts';
import type { TemplateFolder } from './types.ts';

/** The file that holds each part of a template. */
const FILES: Readonly<Record<keyof MailParts, string>> = {
  subject: 'template.json',
  html: 'body.html',
  text: 'body.txt',
};

/** The most steps of the path to a variable. The generated type has a level for each. */
const MOST_STEPS = 100;

/** The variables that all parts of a template read, and the problems of its files. */
export interface ReadVariables {
  readonly variables: Shape;
  readonly problems: readonly TemplateProblem[];
}

/** Reads a template's parts, and checks `optional` and the example against their variables. */
export function readVariables(template: TemplateFolder): ReadVariables {
  const variables = new Shape();
  const problems: TemplateProblem[] = [];
  let isDeep = false;
  const fileOf = (part: keyof MailParts) => inside(template.path, FILES[part]);
  problems.push(...problemsOfBodies(template));
  for (const part of PARTS) {
    const lineIn = (line: number) => (part === 'subject' ? template.subjectLine : line);
    const report = (message: string, line: number | undefined) =>
      problems.push({ file: fileOf(part), line, message });
    try {
      const read = parseTemplate(template[part] ?? '');
      for (const { message, line } of read.problems) report(message, lineIn(line));
      readInto(variables, part, read);
      if (!isDeep && leadsTooDeep(variables)) {
        isDeep = true;
        report(`reads a variable more than ${MOST_STEPS} steps deep`, undefined);
      }
    } catch (error) {
      if (error instanceof TemplateSyntaxError) report(error.message, lineIn(error.line));
      else if (error instanceof TemplateTooComplex) report('its blocks are nested too deeply', undefined);
      else throw error;
    }
  }
  if (problems.length > 0) return { variables, problems };
  for (const path of template.optional) {
    const found = shapeAt(variables, path);
    if (found !== undefined) found.neededAt = undefined;
    else
      problems.push({
        file: fileOf('subject'),
        line: undefined,
        message: `"optional" names ${path}, which no part reads${didYouMean(path, [...variables.fields.keys()])}`,
      });
  }
  return { variables, problems: [...problems, ...problemsOfExample(template, variables)] };
}

/** Whether a field or an element has too many variables around it. */
function leadsTooDeep(variables: Shape): boolean {
  let level: readonly Shape[] = [variables];
  for (let steps = 0; steps <= MOST_STEPS && level.length > 0; steps += 1)
    level = level.flatMap(({ fields, item }) => [...fields.values(), ...(item === undefined ? [] : [item])]);
  return level.length > 0;
}

/** The problems of bodies that are missing, have another name, or have a merge conflict. */
function problemsOfBodies({ path, html, text, unread = [] }: TemplateFolder): TemplateProblem[] {
  const bodies = { [FILES.html]: html, [FILES.text]: text };
  const missing = Object.keys(bodies).filter((file) => (bodies[file] ?? '') === '');
  const misnamed = unread.flatMap((name) => {
    // Editors keep earlier texts under names that end with a tilde.
    const hint = name.endsWith('~') ? '' : didYouMean(name, missing);
    return hint === '' ? [] : [{ file: inside(path, name), line: undefined, message: `is not read${hint}` }];
  });
  const isBare = missing.length === Object.keys(bodies).length && misnamed.length === 0;
  const bare = { file: path, line: undefined, message: `has no ${missing.join(' and no ')}` };
  const inConflict = Object.entries(bodies).flatMap(([name, body]) => {
    const line = body === null ? undefined : conflictLine(body);
    return line === undefined ? [] : [{ file: inside(path, name), line, message: CONFLICT }];
  });
  return [...(isBare ? [bare] : []), ...misnamed, ...inConflict];
}

/** The variable at a path such as `items[].note`. */
function shapeAt(variables: Shape, path: string): Shape | undefined {
  let at: Shape | undefined = variables;
  for (const step of path.split('.')) {
    const [name = ''] = step.split('[]');
    at = at?.fields.get(name);
    for (let left = step.split('[]').length - 1; left > 0; left -= 1) at = at?.item;
  }
  return at;
}

function problemsOfExample(template: TemplateFolder, variables: Shape): TemplateProblem[] {
  const { example, path } = template;
  if (example === undefined) return [];
  const file = inside(path, 'example.json');
  const found: string[] = [];
  checkValue(variables, example, '', template, found);
  const unused = unusedIn(variables, example).map((one) => `no part of the template reads ${one}`);
  return [...found, ...unused].map((message) => ({ file, line: undefined, message }));
}

function checkValue(
  shape: Shape,
  value: unknown,
  at: string,
  template: TemplateFolder,
  found: string[],
): void {
  if (value === undefined || value === null) return;
  const names = [...shape.fields.keys()].filter((name) => name !== 'length');
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (shape.item !== undefined && typeof value !== 'object') found.push(`${at} must be a list`);
  else if (names.length > 0 && shape.item === undefined && !isObject) found.push(`${at} must be an object`);
  if (Array.isArray(value)) {
    const { item } = shape;
    if (item === undefined) return;
    for (const [index, one] of value.entries()) checkValue(item, one, `${at}[${index}]`, template, found);
  } else if (isObject) {
    const fields = value as Readonly<Record<string, unknown>>;
    for (const name of names) {
      const place = at === '' ? name : `${at}.${name}`;
      const field = shape.fields.get(name);
      const one = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field === undefined) continue;
      if (one === undefined && field.neededAt !== undefined)
        found.push(`${place} is missing: ${placeText(field.neededAt, template)} reads it`);
      checkValue(field, one, place, template, found);
    }
  }
}

const placeText = ({ part, line }: Place, { subjectLine }: TemplateFolder) =>
  part === 'subject' ? `template.json:${subjectLine ?? 1}` : `${FILES[part as keyof MailParts]}:${line}`;
