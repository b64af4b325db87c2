import { grouped } from '../../kit/grouped.ts';
import type { Shape } from '../../handlebars/shape.ts';
import { problemText, type TemplateProblem } from './errors.ts';
import { inside } from './files.ts';
import { pathOfTemplate, templateOf } from './languages.ts';
import { functionNameOf, problemOfName, typeNameOf } from './names.ts';
import type { TemplateFolder } from './types.ts';
import { ParsedTexts, readVariables } from './variables.ts';

/** A template, with all its languages, its variables, its names in the generated file, and every problem of its files. */
export interface CheckedTemplate {
  readonly template: TemplateFolder;
  /** Its languages other than the default. */
  readonly languages: readonly TemplateFolder[];
  /** The texts of all of them. */
  readonly texts: ParsedTexts;
  readonly variables: Shape;
  readonly functionName: string;
  readonly typeName: string;
  readonly problems: readonly TemplateProblem[];
}

/**
 * Checks the templates of a folder: each alone, and the names of their functions together. The languages of a template are
 * one. `kept` is for texts that are read again later: without it, those of each template are let go with it.
 */
export function checkedTemplates(
  templates: readonly TemplateFolder[],
  kept?: ParsedTexts,
): CheckedTemplate[] {
  const families = grouped(templates, ({ folder }) => [templateOf(folder)]);
  const seen = new Map<string, TemplateFolder>();
  return [...families].flatMap(([folder, [template, ...languages]]) => {
    if (template === undefined) return [];
    const texts = kept ?? new ParsedTexts();
    const { variables } = readVariables(template, texts);
    const problems = different([template, ...languages].flatMap((one) => readVariables(one, texts).problems));
    const functionName = template.as ?? functionNameOf(folder);
    const typeName = typeNameOf(functionName);
    const why = problemOfName(functionName) ?? clashOf(seen.get(typeName));
    // A template that cannot be rendered takes no name from another.
    if (problems.length === 0) seen.set(typeName, template);
    const message = `the function's name "${functionName}" ${why}: choose another with "as"`;
    const file = inside(pathOfTemplate(template), 'template.json');
    const ofName = why === undefined ? [] : [{ file, line: undefined, message }];
    const names = { functionName, typeName };
    return [{ template, languages, texts, variables, ...names, problems: [...problems, ...ofName] }];
  });
}

/** The problems without those of another language that are the same. */
const different = (problems: readonly TemplateProblem[]): TemplateProblem[] => [
  ...new Map(problems.map((one) => [problemText(one), one])).values(),
];

const clashOf = (other: TemplateFolder | undefined) => other && `is also that of ${other.path}`;
