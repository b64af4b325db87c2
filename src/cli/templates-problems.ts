import { TemplateError } from '../templates/index.ts';
import { Failure } from './failure.ts';

/** Lets a command fail with every problem of the templates, each on a line with its file, as compilers write them. */
export async function withProblems(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const lines = error.problems.map(
      ({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`,
    );
    throw new Failure(lines.join('\n'));
  }
}
