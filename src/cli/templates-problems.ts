import { AuthenticationError, PermissionDeniedError } from '../core/api-errors.ts';
import { problemText } from '../entries/templates/errors.ts';
import { TemplateError, type TemplateProblem } from '../entries/templates/index.ts';
import { Failure, messageOf } from './failure.ts';
import { foreignRemedy } from './remedies.ts';
import { shortLine } from './short-line.ts';

const SHOWN_BYTES = 600;

/** The remedy for a token without the permission. */
const REMEDY =
  'Templates need a token with admin access to the account; make one in the settings of the account, and set EMAIL_PLATFORM_TOKEN.';

/** Fails with every problem of the templates, each on a line with its file, as compilers print them. */
export async function withProblems<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TemplateError) throw new Failure(linesOf(error.problems));
    const foreign = foreignRemedy(error);
    if (foreign !== undefined) throw new Failure(`${messageOf(error)}\n→ ${foreign}`);
    if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
      throw new Failure(`${messageOf(error)}\n${REMEDY}`);
    throw error;
  }
}

/** The problems, one on each line. Folders have names that others choose, too. */
export const linesOf = (problems: readonly TemplateProblem[]): string =>
  problems.map((problem) => shortLine(problemText(problem), SHOWN_BYTES)).join('\n');
