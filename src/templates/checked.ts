import type { Shape } from '../handlebars/shape.ts';
import type { TemplateProblem } from './errors.ts';
import { inside } from './files.ts';
import { functionNameOf, problemOfName, typeNameOf } from './names.ts';
import type { TemplateFolder } from './types.ts';
import { readVariables } from './variables.ts';

/** A template with its variables, its names in the generated file, and every problem of its files. */
export interface CheckedTemplate {
  readonly template: TemplateFolder;
  readonly variables: Shape;
  readonly functionName: string;
  readonly typeName: string;
  readonly problems: readonly TemplateProblem[];
}

/** Checks the templates of a folder: each alone, and the names of their functions together. */
export function checkedTemplates(templates: readonly TemplateFolder[]): CheckedTemplate[] {
  const read = templates.map((template) => ({ template, ...readVariables(template) }));
  const seen = new Map<string, TemplateFolder>();
  return read.map(({ template, variables, problems }) => {
    const functionName = template.as ?? functionNameOf(template.folder);
    const typeName = typeNameOf(functionName);
    const why = problemOfName(functionName) ?? clashOf(seen.get(typeName));
    // A template that cannot be rendered takes no name from another.
    if (problems.length === 0) seen.set(typeName, template);
    const message = `the function's name "${functionName}" ${why}: choose another with "as"`;
    const file = inside(template.path, 'template.json');
    const ofName = why === undefined ? [] : [{ file, line: undefined, message }];
    return { template, variables, functionName, typeName, problems: [...problems, ...ofName] };
  });
}

const clashOf = (other: TemplateFolder | undefined) => other && `is also that of ${other.path}`;
