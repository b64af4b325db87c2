import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { guides, root } from './snippets.ts';

const readme = readFileSync(`${root}README.md`, 'utf8');
const client = new EmailPlatform(createEmulator().clientOptions());

/** The names in the second cell of a row of "What it does". */
const namedInRow = (resource: string): string[] => {
  const cell = new RegExp(`^\\| \`${resource}\` +\\|([^|]+)\\|`, 'm').exec(readme)?.[1] ?? '';
  return [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What can be called on a resource, and on what hangs below it. */
const methodsOf = (resource: object): string[] => [
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor'),
  ...Object.entries(resource).flatMap(([name, below]) =>
    isObject(below) ? methodsOf(below).map((method) => `${name}.${method}`) : [],
  ),
];

describe('The README names', () => {
  const resources = Object.entries(client).filter(([name, value]) => isObject(value) && name !== 'limits');

  test('every resource, and each of its methods', () => {
    expect(resources.map(([name]) => name)).toContain('campaigns');
    for (const [name, resource] of resources)
      expect({ [name]: namedInRow(name).sort() }).toEqual({ [name]: methodsOf(resource as object).sort() });
    expect(namedInRow('limits').sort()).toEqual(Object.keys(client.limits).sort());
  });

  test('every method of the client itself', () => {
    const own = Object.getOwnPropertyNames(EmailPlatform.prototype).filter((name) => name !== 'constructor');
    for (const name of own) expect(readme).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'));
  });

  test('every guide and every example', () => {
    const examples = readdirSync(`${root}examples`).filter((name) => name !== 'print.ts');
    const files = [
      ...guides.filter((name) => name !== 'README.md'),
      ...examples.map((name) => `examples/${name}`),
    ];
    for (const file of files) expect(readme).toContain(`](${file})`);
  });
});
