import { grouped } from '../../kit/grouped.ts';
import { problemText, type TemplateProblem } from './errors.ts';
import { inside } from './files.ts';
import { pathOfTemplate, templateOf } from './languages.ts';
import { functionNameOf, problemOfName, typeNameOf } from './names.ts';
import { alone, variablesIn } from './shapes.ts';
import type { TemplateFolder } from './types.ts';
import { ParsedTexts, readVariables, type ReadVariables } from './variables.ts';

/** A template, or one of its languages, with its variables and the problems of its files. */
export interface ReadTemplate extends ReadVariables {
  readonly files: TemplateFolder;
  /** The paths of the variables that the language reads itself; none if it is broken. */
  readonly own: ReadonlySet<string>;
}

/** Reads the languages of a template. */
export function readFamily(family: readonly TemplateFolder[]): ReadTemplate[] {
  const texts = new ParsedTexts();
  return family.map((files) => {
    const read = readVariables(files, texts);
    // The texts of a broken template may be nested too deeply.
    const own = read.isBroken ? [] : variablesIn(alone(files, texts)).keys();
    return { files, ...read, own: new Set(own) };
  });
}

/** Reads templates, each with its languages. */
export const readFamilies = (templates: readonly TemplateFolder[]): ReadTemplate[][] =>
  [...grouped(templates, ({ folder }) => [templateOf(folder)]).values()].map(readFamily);

/** A template with all its languages, its names in the generated file, and every problem of its files. */
export interface CheckedTemplate {
  readonly template: ReadTemplate;
  /** Its languages other than the default. */
  readonly languages: readonly ReadTemplate[];
  readonly functionName: string;
  readonly typeName: string;
  readonly problems: readonly TemplateProblem[];
}

/**
 * Checks the templates of a folder: each alone, and the names of their functions together. The languages of a template are
 * one.
 */
export function checkedTemplates(families: readonly (readonly ReadTemplate[])[]): CheckedTemplate[] {
  const seen = new Map<string, TemplateFolder>();
  return families.flatMap(([template, ...languages]) => {
    if (template === undefined) return [];
    const { files } = template;
    const problems = different([template, ...languages].flatMap((one) => one.problems));
    const functionName = files.as ?? functionNameOf(templateOf(files.folder));
    const typeName = typeNameOf(functionName);
    const why = problemOfName(functionName) ?? clashOf(seen.get(typeName));
    // A template that cannot be rendered takes no name from another.
    if (problems.length === 0) seen.set(typeName, files);
    const message = `the function's name "${functionName}" ${why}: choose another with "as"`;
    const file = inside(pathOfTemplate(files), 'template.json');
    const ofName = why === undefined ? [] : [{ file, line: undefined, message }];
    return [{ template, languages, functionName, typeName, problems: [...problems, ...ofName] }];
  });
}

/** The problems without those of another language that are the same. */
const different = (problems: readonly TemplateProblem[]): TemplateProblem[] => [
  ...new Map(problems.map((one) => [problemText(one), one])).values(),
];

const clashOf = (other: TemplateFolder | undefined) => other && `is also that of ${other.path}`;
