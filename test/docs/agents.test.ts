import * as main from 'email-platform';
import { ConfigurationError, EmailPlatform } from 'email-platform';
import * as testing from 'email-platform/testing';
import * as webhooks from 'email-platform/webhooks';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  OTHER_ADDRESS_FIELDS,
  OTHER_ATTACHMENT_FIELDS,
  OTHER_MAIL_FIELDS,
  OTHER_OPTIONS,
  OTHER_VARIABLES,
} from '../../src/core/other-names.ts';
import { BASE_VARIABLE, DOMAIN_VARIABLE, VARIABLES } from '../../src/core/variables.ts';
import { sendIssues } from '../../src/resources/sending/mail/rules.ts';
import { linksOf } from '../support/links.ts';
import { resourceMethods } from '../support/resource-methods.ts';
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
  expect(rows, title).not.toEqual([]);
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

/** What the client says of a name that it does not know; undefined if it knows it. */
function saidOfOption(name: string): string | undefined {
  try {
    client.withOptions({ [name]: undefined });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.includes('is not a known field') ? error.message : undefined;
  }
}

/** The same of a field, by its path in an email. */
function saidOfField(path: string): string | undefined {
  const [outer = '', inner] = path.split('[0].');
  const mail = { [outer]: inner === undefined ? '' : [{ [inner]: '' }] };
  return sendIssues(mail).find(
    (issue) => issue.path === path && issue.message.startsWith('is not a known field'),
  )?.message;
}

/** Compares a table with the client: it knows the names on the right alone, and leads to them from those on the left. */
function compare(title: string, saidOf: (name: string) => string | undefined, hints: object): void {
  const rows = rowsOf(title);
  for (const { not, but } of rows) {
    for (const name of but) expect(saidOf(name), name).toBeUndefined();
    for (const name of not)
      for (const right of but) expect(saidOf(name), name).toContain(`\`${right.split('[0].').at(-1) ?? ''}`);
  }
  const listed = rows.flatMap(({ not }) => not);
  expect(Object.keys(hints).filter((name) => !listed.includes(name))).toEqual([]);
}

/** The names under which AGENTS.md has the fields of an object in an email. */
const inside = (outer: string, hints: object) =>
  Object.keys(hints).map((name) => [`${outer}[0].${name}`, ''] as const);

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
    compare('Options of the client', saidOfOption, OTHER_OPTIONS);
  });

  test('of fields', () => {
    compare('Fields of an email', saidOfField, {
      ...OTHER_MAIL_FIELDS,
      ...Object.fromEntries(inside('to', OTHER_ADDRESS_FIELDS)),
      ...Object.fromEntries(inside('attachments', OTHER_ATTACHMENT_FIELDS)),
    });
  });

  test('of exports', () => {
    const joined = page.replace(/` of `/g, ' of ');
    const [, table = ''] = /^Exports:\n\n((?:\|.*\n)+)/m.exec(joined) ?? [];
    const rows = table.trim().split('\n').slice(2);
    expect(rows).not.toEqual([]);
    for (const row of rows) {
      const [not = '', but = ''] = [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
      expect([not, isExported(not)]).toEqual([not, false]);
      expect([but, isExported(but)]).toEqual([but, true]);
    }
  });

  test('of environment variables', () => {
    const known: readonly string[] = [...Object.values(VARIABLES), BASE_VARIABLE, DOMAIN_VARIABLE];
    for (const { not, but } of rowsOf('Environment variables')) {
      for (const name of not) expect(known).not.toContain(name);
      for (const name of but) expect(known).toContain(name);
      for (const name of not) expect([OTHER_VARIABLES[name]]).toEqual(but);
    }
    const named = page.match(/EMAIL_PLATFORM_\w+/g) ?? [];
    const wrong = rowsOf('Environment variables').flatMap(({ not }) => not);
    expect(wrong.toSorted()).toEqual(Object.keys(OTHER_VARIABLES).toSorted());
    expect(named.filter((name) => !known.includes(name) && !wrong.includes(name))).toEqual([]);
  });

  test('of areas of the client, and of imports', () => {
    const areas = resourceMethods(client).map(({ name }) => name.replace(/\..*/, ''));
    const own = Object.getOwnPropertyNames(EmailPlatform.prototype).filter((name) => name !== 'constructor');
    const [, section = ''] = /^## Areas of the client\n([^]*?)\n## /m.exec(page) ?? [];
    const named = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual([...new Set([...areas, ...own, 'limits', 'sandboxInboxId'])].toSorted());
    const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
      readonly exports: object;
    };
    const imports = [...page.matchAll(/^\| `(email-platform[\w/]*)` +\| (?!`)/gm)].map(([, name]) => name);
    expect(imports).toHaveLength(new Set(imports).size);
    expect(imports.toSorted()).toEqual(
      Object.keys(exports)
        .map((path) => path.replace('.', 'email-platform'))
        .toSorted(),
    );
  });

  test('of guides', () => {
    const links = linksOf(`${root}AGENTS.md`);
    expect(guides.filter((guide) => guide !== 'README.md' && !links.includes(guide))).toEqual([]);
  });
});
