import { didYouMean } from '../../kit/did-you-mean.ts';
import { TemplateSyntaxError, TemplateTooComplex } from '../../handlebars/errors.ts';
import { PARTS, type MailParts } from '../../handlebars/mail.ts';
import type { Template } from '../../handlebars/nodes.ts';
import { parseTemplate } from '../../handlebars/parse.ts';
import { readInto, Shape, type Place } from '../../handlebars/shape.ts';
import { unusedIn } from '../../handlebars/unused.ts';
import type { TemplateProblem } from './errors.ts';
import { CONFLICT, conflictLine, inside } from './files.ts';
import { ownParts, pathOfTemplate } from './languages.ts';
import type { LanguageParts, TemplateFolder } from './types.ts';

/** The file that holds each part of a template. */
const FILES: Readonly<Record<keyof MailParts, string>> = {
  subject: 'template.json',
  html: 'body.html',
  text: 'body.txt',
};

/** The most steps of the path to a variable. The generated type has a level for each. */
const MOST_STEPS = 100;

/** Reads the texts of a template: each once, as its languages read each other's. */
export class ParsedTexts {
  readonly #parsed = new Map<string, Template>();

  of(text: string): Template {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const parsed = parseTemplate(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }
}

/** The variables that all parts of a template read, and the problems of its files. */
export interface ReadVariables {
  readonly variables: Shape;
  readonly problems: readonly TemplateProblem[];
  /** Whether the service could not render it; otherwise, the problems are those of `optional` and the example. */
  readonly isBroken: boolean;
}

/**
 * Reads a template's parts, and checks `optional` and the example against their variables. The variables of a language are
 * those of all languages of its template; the problems are those of its own parts.
 */
export function readVariables(template: TemplateFolder, texts = new ParsedTexts()): ReadVariables {
  const variables = new Shape();
  const problems: TemplateProblem[] = [];
  let isDeep = false;
  const { optional, language } = template;
  const root = pathOfTemplate(template);
  const fileOf = (part: keyof MailParts) => inside(language?.taken[part]?.path ?? template.path, FILES[part]);
  problems.push(...problemsOfBodies(template));
  const read = (
    parts: LanguageParts,
    part: keyof MailParts,
    problem: (message: string, place?: Pick<TemplateProblem, 'line' | 'column'>) => void,
  ) => {
    try {
      const parsed = texts.of(parts[part] ?? '');
      for (const { message, line, column } of parsed.problems) problem(message, { line, column });
      readInto(variables, `${parts.inside}${FILES[part]}`, parsed);
      if (!isDeep && leadsTooDeep(variables)) {
        isDeep = true;
        problem(`reads a variable more than ${MOST_STEPS} steps deep`);
      }
    } catch (error) {
      if (error instanceof TemplateSyntaxError)
        problem(error.message, { line: error.line, column: error.column });
      else if (error instanceof TemplateTooComplex) problem('its blocks are nested too deeply');
      else throw error;
    }
  };
  const { subject, html, text } = template;
  const own: LanguageParts = { ...ownParts(template), subject, html, text };
  // In the same order for each language, so that each names the same place for a variable.
  const all = [own, ...(language?.others ?? [])].sort((one, other) => (one.inside < other.inside ? -1 : 1));
  for (const parts of all)
    for (const part of PARTS)
      read(parts, part, (message, place = { line: undefined }) => {
        // A subject stands within the JSON of its file.
        const at = part === 'subject' ? { line: template.subjectLine } : place;
        if (parts === own) problems.push({ file: fileOf(part), ...at, message });
      });
  if (problems.length > 0) return { variables, problems, isBroken: true };
  for (const path of optional) {
    const found = shapeAt(variables, path);
    if (found !== undefined) found.neededAt = undefined;
    else
      problems.push({
        file: inside(root, FILES.subject),
        line: undefined,
        message: `"optional" names ${path}, which no part reads${didYouMean(path, [...variables.fields.keys()])}`,
      });
  }
  const lines = new Map(
    all.map((parts) => [`${parts.inside}${FILES.subject}`, parts.subjectLine ?? 1] as const),
  );
  const placeText = ({ part, line }: Place) => `${part}:${lines.get(part) ?? line}`;
  problems.push(...problemsOfExample(template, variables, placeText));
  return { variables, problems, isBroken: false };
}

/** Whether a field or an element has too many variables around it. */
function leadsTooDeep(variables: Shape): boolean {
  let level: readonly Shape[] = [variables];
  for (let steps = 0; steps <= MOST_STEPS && level.length > 0; steps += 1)
    level = level.flatMap(({ fields, item }) => [...fields.values(), ...(item === undefined ? [] : [item])]);
  return level.length > 0;
}

/** The problems of bodies that are missing, have another name, or have a merge conflict. */
function problemsOfBodies(template: TemplateFolder): TemplateProblem[] {
  const { path, unread = [] } = template;
  const own = ownParts(template);
  const bodies = { [FILES.html]: own.html, [FILES.text]: own.text };
  const missing = Object.keys(bodies).filter((file) => (bodies[file] ?? '') === '');
  const misnamed = unread.flatMap((name) => {
    // Editors keep earlier texts under names that end with a tilde.
    const hint = name.endsWith('~') ? '' : didYouMean(name, missing);
    return hint === '' ? [] : [{ file: inside(path, name), line: undefined, message: `is not read${hint}` }];
  });
  const isBare = (template.html ?? '') === '' && (template.text ?? '') === '' && misnamed.length === 0;
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

function problemsOfExample(
  template: TemplateFolder,
  variables: Shape,
  placeText: (place: Place) => string,
): TemplateProblem[] {
  const { example } = template;
  if (example === undefined) return [];
  const file = inside(pathOfTemplate(template), 'example.json');
  const found: string[] = [];
  checkValue(variables, example, '', placeText, found);
  const unused = unusedIn(variables, example).map((one) => `no part of the template reads ${one}`);
  return [...found, ...unused].map((message) => ({ file, line: undefined, message }));
}

function checkValue(
  shape: Shape,
  value: unknown,
  at: string,
  placeText: (place: Place) => string,
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
    for (const [index, one] of value.entries()) checkValue(item, one, `${at}[${index}]`, placeText, found);
  } else if (isObject) {
    const fields = value as Readonly<Record<string, unknown>>;
    for (const name of names) {
      const place = at === '' ? name : `${at}.${name}`;
      const field = shape.fields.get(name);
      const one = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field === undefined) continue;
      if (one === undefined && field.neededAt !== undefined)
        found.push(`${place} is missing: ${placeText(field.neededAt)} reads it`);
      checkValue(field, one, place, placeText, found);
    }
  }
}
