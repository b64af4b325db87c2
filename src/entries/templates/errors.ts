import { brand, EmailPlatformError } from '../../core/error-base.ts';

/** One problem with the files of a template. */
export interface TemplateProblem {
  /** The path of the file or folder, in its original form. */
  readonly file: string;
  /** The line in the file, from 1; undefined for a problem without a line. */
  readonly line: number | undefined;
  /** The column in the line, from 1; only for a tag of a body that cannot be read. */
  readonly column?: number;
  /** The problem. */
  readonly message: string;
}

/** Files of templates are missing or invalid. */
export class TemplateError extends EmailPlatformError {
  /** All problems. */
  readonly problems: readonly TemplateProblem[];

  /** @internal */
  constructor(problems: readonly TemplateProblem[], init: { readonly cause?: unknown } = {}) {
    const [first, ...others] = problems.map(problemText);
    const more = others.length === 0 ? '' : ` (and ${others.length} more: see \`problems\`)`;
    super(`${first ?? 'The templates cannot be used'}${more}`, { effect: 'none', ...init });
    this.problems = problems;
  }
}

brand(TemplateError, 'TemplateError', 'template_invalid');

/** A problem as one line, in the form of a compiler's message. */
export const problemText = ({ file, line, column, message }: TemplateProblem): string =>
  `${[file, line, column].filter((one) => one !== undefined).join(':')}: ${message}`;

/** The error for one problem. */
export const templateError = (
  file: string,
  line: number | undefined,
  message: string,
  cause?: unknown,
): TemplateError => new TemplateError([{ file, line, message }], { cause });
