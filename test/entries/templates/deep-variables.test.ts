import { readTemplates, templateTypes } from 'email-platform/templates';
import { expect, test } from 'vitest';
import { sized } from '../../support/extent.ts';
import { templatesIn } from './folders.ts';

test.each([
  ['a path', 20_000, (steps: number) => `{{${'a.'.repeat(steps - 1)}a}}`],
  // The parser's time grows with the square of these.
  ['elements', sized(20_000, 5_000), (steps: number) => `{{a${'.[0]'.repeat(steps - 1)}}}`],
  [
    'blocks',
    20_000,
    (steps: number) => `{{#with a}}{{#with b}}{{${'c.'.repeat(steps - 3)}c}}{{/with}}{{/with}}`,
  ],
])('a variable more than 100 steps deep is a problem with its file: %s', async (_, many, textOf) => {
  const typed = async (steps: number) =>
    templateTypes(await readTemplates(templatesIn({ deep: { html: textOf(steps) } })), { from: 'emails' });
  expect(await typed(100)).toContain('readonly a');
  for (const steps of [101, many])
    await expect(typed(steps)).rejects.toThrow(/body\.html: reads a variable more than 100 steps deep/);
});
