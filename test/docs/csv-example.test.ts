import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPeople, type Allowed, type Person } from '../../examples/csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(contents: string | Uint8Array, allowed: Allowed = {}) {
  const file = join(folder, 'people.csv');
  writeFileSync(file, contents);
  const people: Person[] = [];
  const leftOut: string[] = [];
  const onLeftOut = ({ email }: Person) => leftOut.push(email);
  for await (const person of readPeople(file, { onLeftOut, allowed })) people.push(person);
  return { people, leftOut };
}
const ANN = { email: 'ann@example.org', name: 'Ann Ö' };

describe('The people in a CSV file are read', () => {
  test.each<[string, string, Allowed?]>([
    ['as it should be', 'email,name\nann@example.org,Ann Ö\n'],
    ['with a byte order mark', '\uFEFFemail,name\r\nann@example.org,Ann Ö\r\n'],
    ['with a byte order mark and quotes', '\uFEFF"email","name"\n"ann@example.org","Ann Ö"'],
    ['of Mailchimp', 'Email Address,First Name,Last Name\nann@example.org,Ann,Ö\n'],
    ['of Substack', 'Email,Name,Active\nann@example.org,Ann Ö,true\n', { Active: ['true'] }],
    ['of a German spreadsheet', '\uFEFFE-Mail;Name\r\nann@example.org;Ann Ö\r\n'],
    ['with tabs', 'EMAIL\tName\nann@example.org\tAnn Ö\n'],
    [
      'with a separator in a quoted name',
      '"Kunde; Ort, Land",email,name\nx,ann@example.org,Ann Ö\n',
      { 'Kunde; Ort, Land': 'any' },
    ],
    ['with empty columns after the last', 'email,name,,\nann@example.org,Ann Ö,,\n'],
    ['with lines that end in CR', 'email,name\rann@example.org,Ann Ö\r'],
    ['with blank lines and spaces', ' Email , Name \n\n ann@example.org , Ann Ö \n\n'],
  ])('%s', async (_, contents, allowed) => {
    expect((await read(contents, allowed)).people).toMatchObject([ANN]);
  });

  test('with the line of each, and all fields', async () => {
    const { people } = await read(
      'email,City\na@example.org,Rome\n"b@example.org","New\nYork"\nc@example.org,Oslo\n',
      { City: 'any' },
    );
    expect(people.map(({ line, email, fields }) => [line, email, fields.city])).toEqual([
      [2, 'a@example.org', 'Rome'],
      [4, 'b@example.org', 'New\nYork'],
      [5, 'c@example.org', 'Oslo'],
    ]);
  });

  test.each([
    [
      'Status',
      ['Unsubscribed', 'cleaned', 'bounced', 'Spam complaint', 'inactive'],
      ['Subscribed', 'active', ''],
    ],
    ['UNSUB_TIME', ['2026-01-02 03:04:05'], ['', '0', 'false']],
    ['unsubscribed', ['true', '1', 'yes'], ['false', '0', 'no', '']],
    ['CLEAN_TIME', ['2026-01-02 03:04:05'], ['']],
    ['email_disabled', ['true'], ['false']],
    ['Email Status', ['Opted-out', 'opted out', 'blocked', 'deleted', 'invalid', 'abuse report'], ['Active']],
    ['member_status', ['unsubscribed'], ['subscribed']],
    ['Subscription Status', ['Unsubscribed'], ['']],
    ['OptOut', ['2026-01-02', 'yes'], ['', 'no', 'N', 'null']],
    ['Bounced At', ['2026-01-02'], ['']],
    ['complained_at', ['2026-01-02'], ['']],
    ['Suppressed', ['true'], ['false']],
  ])('without the people that the column %s takes out', async (column, out, kept) => {
    const row = (value: string, index: number) => `r${index}@example.org,${value}`;
    const { people, leftOut } = await read([`email,${column}`, ...[...out, ...kept].map(row)].join('\n'));
    expect([leftOut.length, people.length]).toEqual([out.length, kept.length]);
    expect(leftOut[0]).toBe('r0@example.org');
  });
});

describe('A column whose meaning is unknown', () => {
  const file = (column: string, values: readonly string[]) =>
    [`email,${column}`, ...values.map((value, index) => `r${index}@example.org,${value}`)].join('\n');

  test.each([
    ['Accepts Email Marketing', ['yes', 'no']],
    ['subscribed_to_emails', ['true', 'false']],
    ['Email Opt Out', ['0', '1']],
    ['Opted out of email: Newsletter', ['Yes', 'No']],
    ['hs_email_optout', ['true', '']],
    ['doNotContact', ['1', '0']],
    ['Do Not Mail', ['x', '']],
    ['GDPR consent', ['2026-01-02', '']],
    ['emailBlocked', ['true', 'false']],
    ['Payment Status', ['paid', 'open']],
    ['status', ['enabled', 'disabled']],
    ['Status', ['subscribed', 'Abgemeldet']],
    ['state', ['active', 'left']],
    ['State', ['Active', 'Unreachable']],
    ['State', ['ON', '']],
    ['state', ['yes', 'no']],
    ['state', ['CA', 'left']],
    ['Newsletter', ['yes', 'no']],
    ['GDPR', ['Y', 'N']],
    ['Mailing', ['1', '0']],
    ['Abonniert', ['ja', 'nein']],
    ['Active', ['yes', 'no']],
    ['Plan', ['active', 'cancelled']],
    ['Email permission', ['granted', 'withdrawn']],
    ['Wants newsletter', ['yes', 'no']],
    ['Newsletter subscription', ['active', 'cancelled']],
    ['Email clean', ['yes', 'no']],
    ['constructor', ['yes', 'no']],
    ['City', ['Rome', 'Oslo']],
  ])('stops the reader, which shows it: %s %j', async (column, values) => {
    const shown = new RegExp(`"${column}" \\('${values[0]}', '${values[1]}'\\)`);
    await expect(read(file(column, values))).rejects.toThrow(shown);
    const { people, leftOut } = await read(file(column, values), { [column]: [values[0] ?? ''] });
    expect([people.map(({ email }) => email), leftOut]).toEqual([['r0@example.org'], ['r1@example.org']]);
    expect((await read(file(column, values), { [column]: 'any' })).people).toHaveLength(2);
  });

  test('is shown without its values if there are many', async () => {
    const phones = Array.from({ length: 11 }, (_, index) => `555 ${index}`);
    await expect(read(file('Phone', phones))).rejects.toThrow(/"Phone" \(more than 10 values\)/);
  });

  test('has a name, or a number', async () => {
    await expect(read('email,,\na@example.org,,no\n')).rejects.toThrow(/"column 3" \('no'\)/);
  });

  test('that the caller names, but the file does not have, is an error', async () => {
    await expect(read(file('City', ['Rome']), { Consent: ['yes'] })).rejects.toThrow(
      /has no column "consent"/,
    );
  });
});

describe('A file is refused with the reason', () => {
  const latin1 = Buffer.from('email,name\nann@example.org,J\u00fcrgen\n', 'latin1');
  test.each<[string, string | Uint8Array, RegExp]>([
    [
      'in UTF-16',
      Buffer.from('\uFEFFemail,name\nann@example.org,Ann\n', 'utf16le'),
      /is UTF-16: save it as CSV UTF-8/,
    ],
    ['in Latin-1', latin1, /is not UTF-8, but perhaps Latin-1: save it as CSV UTF-8/],
    ['without addresses', 'Kunde,Ort\nAnn,Rom\n', /must have one column "email".*and has "Kunde", "Ort"/],
    [
      'with two columns of addresses',
      'email,E-Mail\na,b\n',
      /must have one column "email".*has "email", "E-Mail"/,
    ],
    [
      'with two columns of the same name',
      'email,status,Status\na@example.org,unsubscribed,subscribed\n',
      /must not have two columns of the same name, and has "email", "status", "Status"/,
    ],
    ['with a short row', 'email,name\nann@example.org\n', /line 2/],
  ])('%s', async (_, contents, reason) => {
    await expect(read(contents)).rejects.toThrow(reason);
  });
});
