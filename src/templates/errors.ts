import { brand, EmailPlatformError } from '../core/error-base.ts';

/** One problem with the files of a template. */
export interface TemplateProblem {
  /** The file or folder, as its path was given. */
  readonly file: string;
  /** The line in it, from 1; undefined if the problem is not on a line. */
  readonly line: number | undefined;
  /** What is wrong. */
  readonly message: string;
}

/** Files of templates cannot be used: they are missing, or not what they should be. */
export class TemplateError extends EmailPlatformError {
  /** Every problem found, not only the first. */
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

/** A problem as one line, as compilers write it. */
export const problemText = ({ file, line, message }: TemplateProblem): string =>
  `${file}${line === undefined ? '' : `:${line}`}: ${message}`;

/** The error for one problem. */
export const templateError = (
  file: string,
  line: number | undefined,
  message: string,
  cause?: unknown,
): TemplateError => new TemplateError([{ file, line, message }], { cause });
