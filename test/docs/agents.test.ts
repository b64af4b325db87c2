import * as main from 'email-platform';
import { ConfigurationError, EmailPlatform } from 'email-platform';
import * as testing from 'email-platform/testing';
import * as webhooks from 'email-platform/webhooks';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BASE_VARIABLE, VARIABLES } from '../../src/core/variables.ts';
import { sendIssues } from '../../src/resources/sending/rules.ts';
import { linksOf } from '../support/links.ts';
import { guides, root } from './snippets.ts';

const page = readFileSync(`${root}AGENTS.md`, 'utf8');
const client = new EmailPlatform(testing.createEmulator().clientOptions());
const ENTRIES: Readonly<Record<string, object>> = {
  'email-platform': main,
  'email-platform/testing': testing,
  'email-platform/webhooks': webhooks,
};

/** The names in code of a table's two cells, row by row. */
function rowsOf(title: string): { readonly not: readonly string[]; readonly but: readonly string[] }[] {
  const [, table = ''] = new RegExp(`^${title}:\\n\\n((?:\\|.*\\n)+)`, 'm').exec(page) ?? [];
  const namesOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const rows = table.trim().split('\n').slice(2);
  expect(rows.length, title).toBeGreaterThan(3);
  return rows.map((row) => {
    const [, not, but] = row.split('|');
    return { not: namesOf(not), but: namesOf(but) };
  });
}

/** What a name such as `client.organizations.subAccounts(id).list` stands for. */
const memberOf = (path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((owner, name) => {
      const isCall = name.endsWith('(id)');
      const member = (Object(owner) as Record<string, unknown>)[name.replace('(id)', '')];
      return isCall ? (member as (id: number) => unknown).call(owner, 1) : member;
    }, client);

const isKnownOption = (name: string): boolean => {
  try {
    client.withOptions({ [name]: undefined });
    return true;
  } catch (error) {
    return !(error instanceof ConfigurationError && error.message.includes('is not a known field'));
  }
};

const isKnownField = (name: string) =>
  !sendIssues({ [name]: '' }).some(
    ({ path, message }) => path === name && message.startsWith('is not a known'),
  );

const isExported = (text: string) => {
  const [name = '', entry = ''] = text.split(' of ');
  return name in (ENTRIES[entry] ?? {});
};

describe('The names in AGENTS.md', () => {
  test('of methods', () => {
    for (const { not, but } of rowsOf('Methods')) {
      for (const name of not) expect(memberOf(name), name).toBeUndefined();
      const methods = but.filter((name) => name.startsWith('client.'));
      expect(methods.length).toBeGreaterThan(0);
      for (const name of methods) expect(memberOf(name), name).toBeTypeOf('function');
    }
  });

  test('of options', () => {
    for (const { not, but } of rowsOf('Options of the client')) {
      for (const name of not) expect(isKnownOption(name), name).toBe(false);
      for (const name of but) expect(isKnownOption(name), name).toBe(true);
    }
  });

  test('of fields', () => {
    for (const { not, but } of rowsOf('Fields of an email')) {
      for (const name of not) expect(isKnownField(name), name).toBe(false);
      for (const name of but) expect(isKnownField(name), name).toBe(true);
    }
  });

  test('of exports', () => {
    const joined = page.replace(/` of `/g, ' of ');
    const [, table = ''] = /^Exports:\n\n((?:\|.*\n)+)/m.exec(joined) ?? [];
    const rows = table.trim().split('\n').slice(2);
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      const [not = '', but = ''] = [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
      expect([not, isExported(not)]).toEqual([not, false]);
      expect([but, isExported(but)]).toEqual([but, true]);
    }
  });

  test('of environment variables', () => {
    const known: readonly string[] = [...Object.values(VARIABLES), BASE_VARIABLE];
    for (const { not, but } of rowsOf('Environment variables')) {
      for (const name of not) expect(known).not.toContain(name);
      for (const name of but) expect(known).toContain(name);
    }
    const named = page.match(/EMAIL_PLATFORM_\w+/g) ?? [];
    const wrong = rowsOf('Environment variables').flatMap(({ not }) => not);
    expect(named.filter((name) => !known.includes(name) && !wrong.includes(name))).toEqual([]);
  });

  test('of guides', () => {
    const links = linksOf(`${root}AGENTS.md`);
    expect(guides.filter((guide) => guide !== 'README.md' && !links.includes(guide))).toEqual([]);
  });
});
