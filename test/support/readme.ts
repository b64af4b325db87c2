/** The README as guides for `followGuide`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from './packed.ts';

const [opening = '', ...sections] = readFileSync(join(root, 'README.md'), 'utf8').split(/^## /m);
/** The command that runs the first program. Each program below runs in the same way. */
const [, runs = ''] = /`(node \S+) send\.mjs`/.exec(opening) ?? [];

/** A text with its program's command and output at the end. */
function withRun(text: string, node: string): string {
  const [, program = ''] = /```ts.*\n([^]*?)```/.exec(text) ?? [];
  const [, file = ''] = /^\/\/ (\S+\.mjs)\n/.exec(program) ?? [];
  const prints = [...program.matchAll(/\/\/ prints: (.+)$/gm)].map(([, line = '']) => line);
  // The first one prints nothing; each other states its output, or it would not be checked.
  if (file !== 'send.mjs') expect(prints, file).not.toEqual([]);
  const command = `${text}\n\`\`\`sh\n${runs.replace(/^node/, node)} ${file}\n\`\`\`\n`;
  return `${command}\n\`\`\`text\n${prints.join('\n')}\n\`\`\`\n`;
}

const installation = opening.replace(/```ts[^]*?```\n/, '');
const programs = new Map(
  sections.filter((text) => text.includes('```ts')).map((text) => [text.split('\n')[0] ?? '', text]),
);

/** The opening, with the first program. */
export const firstScreen = (): string => withRun(opening, 'node');

/** The titles of the sections with a program. */
export const titles = [...programs.keys()];

/** A section alone: the commands of the opening, and the section's program, run by `node`. */
export const sectionAlone = (title: string, node = 'node'): string =>
  withRun(`${installation}\n${programs.get(title) ?? ''}`, node);
