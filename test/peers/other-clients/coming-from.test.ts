import { readFileSync } from 'node:fs';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../docs/snippets.ts';

const guide = readFileSync(`${root}docs/coming-from.md`, 'utf8');
const ours = { client: new EmailPlatform(createEmulator().clientOptions()) };

/** What needs the packages of this folder is no module of the project, which is compiled without it. */
let theirs: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  theirs = (await import(`${import.meta.dirname}/clients.mjs`)) as typeof theirs;
});

/** The names of methods in a column of a section's table, such as `resend.emails.send`. */
function methodsIn(section: string, column: 1 | 2): string[] {
  const [, text = ''] = guide.split(`\n## ${section}\n`);
  const [part = ''] = text.split('\n## ');
  const cells = part
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|')[column] ?? '');
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`((?:client|resend|sgMail)(?:\.\w+)+)(?:\([^`]*\))?`/g)].map(([, name = '']) => name),
  );
}

const memberOf = (path: string, roots: object): unknown =>
  path.split('.').reduce<unknown>((owner, name) => (Object(owner) as Record<string, unknown>)[name], roots);

test.each([
  ['resend', 14],
  ['postmark', 15],
  ['sendgrid', 4],
])('every call of %s that the guide names is there', (section, count) => {
  const names = methodsIn(section, 1);
  expect(names.length).toBeGreaterThanOrEqual(count);
  expect(names.filter((name) => typeof memberOf(name, theirs) !== 'function')).toEqual([]);
});

test.each(["The service's own SDK", 'nodemailer', 'resend', 'postmark', 'sendgrid'])(
  'every call in place of those of %s is there',
  (section) => {
    const names = methodsIn(section, 2);
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => typeof memberOf(name, ours) !== 'function')).toEqual([]);
  },
);
