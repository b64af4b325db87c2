import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RECIPIENT_FIELDS } from '../../src/core/reach.ts';
import { isSame, readAddress } from '../../src/recipients/address.ts';
import { decideBy, decideOnPassed } from '../../src/recipients/decision.ts';
import { decideMail, emailOf, ORIGINAL_HEADER, type Verdict } from '../../src/recipients/mail.ts';
import { rulesOf, type RecipientOptions } from '../../src/recipients/options.ts';
import { runs, SEED } from '../support/extent.ts';

const often = (numRuns: number) => ({ numRuns: runs(numRuns), ...(SEED !== undefined && { seed: SEED }) });

const allow = ['@us.example', 'ann@example.org'];
const redirectTo = 'team@us.example';
const refusing: RecipientOptions = { allow };
const redirecting: RecipientOptions = { allow, otherwise: { redirectTo } };

const decided = (mail: unknown, ...guards: readonly RecipientOptions[]) =>
  decideMail(mail, decideBy(guards.map(rulesOf)));
const people = (...emails: readonly string[]) => emails.map((email) => ({ email }));
const headerOf = ({ value }: Verdict) =>
  (value as { headers: Record<string, string> }).headers[ORIGINAL_HEADER];

describe('An email', () => {
  test('whose recipients are all allowed is the same object', () => {
    const mail = { to: people('bob@us.example'), cc: people('ann@example.org'), bcc: null, subject: 'Hi' };
    for (const guard of [refusing, redirecting]) {
      const verdict = decided(mail, guard);
      expect(verdict.value).toBe(mail);
      expect(verdict.refused).toEqual([]);
    }
  });

  test('is refused with the places of those who are not allowed', () => {
    const mail = {
      to: people('bob@us.example', 'boss@customer.example'),
      cc: people('boss@us.example.org'),
      bcc: people('ann@example.org', 'ann@us.example', 'ann+x@example.org'),
    };
    expect(decided(mail, refusing).refused).toEqual(['to[1]', 'cc[0]', 'bcc[2]']);
  });

  test.each([
    [{ to: 'ann@example.org' }, 'to'],
    [{ to: { email: 'ann@example.org' } }, 'to'],
    [{ to: ['ann@example.org'] }, 'to[0]'],
    [{ to: [[{ email: 'ann@example.org' }]] }, 'to[0]'],
    [{ to: [{ email: 'boss@customer.example, ann@example.org' }] }, 'to[0]'],
    [{ to: [{ email: 'ann@example.org', Email: 'boss@customer.example' }] }, 'to[0]'],
    [{ to: [{ email: 'ann@example.org', name: 'A\r\nBcc: boss@customer.example' }] }, 'to[0]'],
    [{ to: [{ email: 'ann@example.org', name: { a: 1 } }] }, 'to[0]'],
    [{ to: [null] }, 'to[0]'],
    [{ To: people('ann@example.org') }, 'to'],
    [{ 'bcc[]': 'boss@customer.example' }, 'bcc'],
    [{ headers: { Bcc: 'boss@customer.example' } }, 'headers'],
    [{ headers: { 'resent-To': 'boss@customer.example' } }, 'headers'],
    [{ headers: { 'X-A': 'a\r\nBcc: boss@customer.example' } }, 'headers'],
    [{ headers: { 'X-A\nBcc': 'boss@customer.example' } }, 'headers'],
    [{ headers: { 'Cc:': 'boss@customer.example' } }, 'headers'],
    [{ subject: 'a\nBcc: boss@customer.example' }, 'subject'],
    [{ from: { email: 'a@us.example', name: 'a\rb' } }, 'from'],
    [{ reply_to: { email: 'a@us.example\0' } }, 'reply_to'],
  ])('with %j is refused', (fields, place) => {
    expect(decided({ to: people('bob@us.example'), ...fields }, refusing).refused).toEqual([place]);
  });

  test.each([undefined, null, 'text', 7, [{ to: people('ann@example.org') }]])('is not %j', (mail) => {
    expect(decided(mail, redirecting).refused).toEqual(['body']);
  });

  test('may have reply addresses outside the list', () => {
    const headers = { 'Reply-To': 'boss@customer.example' };
    const mail = { to: people('ann@example.org'), reply_to: { email: 'a@customer.example' }, headers };
    expect(decided(mail, refusing)).toEqual({ value: mail, refused: [] });
  });
});

describe('A redirected email', () => {
  test('goes to those who are allowed, and once to the other address', () => {
    const verdict = decided(
      {
        to: [{ email: 'boss@customer.example', name: 'Boss' }, { email: 'bob@us.example' }],
        cc: people('cfo@customer.example'),
        bcc: people('ann@example.org', 'x@customer.example'),
        subject: 'Hi',
        headers: { 'X-A': '1' },
      },
      redirecting,
    );
    expect(verdict).toEqual({
      refused: [],
      value: {
        to: people('bob@us.example', redirectTo),
        bcc: people('ann@example.org'),
        subject: 'Hi',
        headers: {
          'X-A': '1',
          [ORIGINAL_HEADER]:
            'to: boss@customer.example, to: bob@us.example, cc: cfo@customer.example, bcc: 2',
        },
      },
    });
  });

  test.each(['to', 'bcc'])('goes there once, even if it is a recipient in %s', (field) => {
    const [others, team] = [people('boss@customer.example'), people('Team@US.example')];
    const mail = field === 'to' ? { to: [...others, ...team] } : { to: others, [field]: team };
    const { headers, ...sent } = decided(mail, redirecting).value as Record<string, unknown>;
    expect(sent).toEqual({ [field]: team });
    expect(headers).toEqual({
      [ORIGINAL_HEADER]: `to: boss@customer.example, ${field === 'to' ? 'to: Team@US.example' : 'bcc: 1'}`,
    });
  });

  test('goes there once, even if that is a recipient already', () => {
    const mail = { to: people('boss@customer.example'), cc: people('Team@US.example') };
    const { headers, ...sent } = decided(mail, redirecting).value as Record<string, unknown>;
    expect(sent).toEqual({ cc: people('Team@US.example') });
    expect(headers).toEqual({ [ORIGINAL_HEADER]: 'to: boss@customer.example, cc: Team@US.example' });
  });

  test('keeps the headers of its base, unless it has its own', () => {
    const decide = decideBy([rulesOf(redirecting)]);
    const base = { headers: { 'X-Base': '1', [ORIGINAL_HEADER.toLowerCase()]: 'forged' } };
    const to = people('boss@customer.example');
    const own = decideMail({ to, headers: { 'X-Own': '2' } }, decide, { base });
    const shared = decideMail({ to }, decide, { base });
    expect(Object.keys((own.value as { headers: object }).headers)).toEqual(['X-Own', ORIGINAL_HEADER]);
    expect(Object.keys((shared.value as { headers: object }).headers)).toEqual(['X-Base', ORIGINAL_HEADER]);
  });

  test('names at most 20 of its original recipients, and only in visible ASCII', () => {
    const many = people(...Array.from({ length: 30 }, (_, index) => `p${index}@customer.example`));
    expect(headerOf(decided({ to: many }, redirecting))).toMatch(
      /^(to: p\d+@customer\.example, ){20}and 10 more$/,
    );
    const odd = [{ email: 'a\r\nBcc: é@customer.example' }, 'text', null];
    expect(headerOf(decided({ to: odd }, redirecting))).toBe(
      'to: a??Bcc:??@customer.example, to: text, to: ?',
    );
  });

  test('stays within a line that every server reads', () => {
    const long = people(
      ...Array.from({ length: 30 }, (_, index) => `${index}${'a'.repeat(300)}@customer.example`),
    );
    expect(headerOf(decided({ to: long }, redirecting))?.length).toBeLessThan(950);
    // Each is named with 104 characters.
    expect(headerOf(decided({ to: long }, redirecting))).toMatch(/^(to: \d+a+, ){7}and 23 more$/);
  });

  test('passes the guards of all ancestors, in their order', () => {
    const child = { allow: ['@customer.example'], otherwise: { redirectTo: 'child@us.example' } };
    const parent = { allow: ['@customer.example'], otherwise: { redirectTo } };
    const to = people('a@customer.example', 'b@other.example');
    expect(decided({ to }, child, parent).value).toMatchObject({
      to: people('a@customer.example', redirectTo),
    });
    expect(decided({ to }, child, { allow: ['@customer.example'] }).refused).toEqual(['to[1]']);
    expect(decided({ to: people(redirectTo) }, { allow: ['ann@us.example'] }, parent).refused).toEqual([
      'to[0]',
    ]);
  });

  test('is refused as an answer to which the service would add recipients', () => {
    const decide = decideBy([rulesOf(redirecting)]);
    const answer = (mail: object, ...fillsIn: ('to' | 'cc')[]) => decideMail(mail, decide, { fillsIn });
    expect(answer({ text: 'Hi' }, 'to').value).toMatchObject({ to: people(redirectTo) });
    expect(answer({ to: [], text: 'Hi' }, 'to').value).toMatchObject({ to: people(redirectTo) });
    expect(answer({ text: 'Hi' }, 'to', 'cc').refused).toEqual(['cc']);
    expect(answer({ cc: people('boss@customer.example') }, 'to', 'cc').refused).toEqual(['cc']);
    const cc = people('ann@example.org');
    expect(answer({ cc }, 'to', 'cc').value).toMatchObject({ to: people(redirectTo), cc });
  });
});

const address = fc.oneof(
  fc.constantFrom('ann@example.org', 'bob@us.example', 'Bob@US.example', 'team@us.example'),
  fc.constantFrom('boss@customer.example', 'ann@a.us.example', 'ann+x@example.org', 'other@them.example'),
  fc.constantFrom('boss@customer.example, ann@example.org', 'Ann <ann@example.org>', '', 'ann'),
);
const recipient = fc.oneof(
  { weight: 5, arbitrary: fc.record({ email: address, name: fc.constantFrom('Ann', undefined, null) }) },
  { weight: 1, arbitrary: address },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const field = fc.oneof(
  { weight: 6, arbitrary: fc.array(recipient, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
  { weight: 1, arbitrary: recipient },
);
const mails = fc.record({ to: field, cc: field, bcc: field, subject: fc.constant('Hi') });
const entries = fc.subarray(['@us.example', 'ann@example.org', '@customer.example', 'ann+*@example.org']);
const guards = fc.array(
  fc.record({
    allow: entries,
    otherwise: fc.oneof(
      fc.constant('refuse' as const),
      fc.record({ redirectTo: fc.constantFrom('team@us.example', 'other@them.example') }),
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

test('a misspelt field without a value is not a recipient', () => {
  const mail = { to: people('ann@us.example'), Bcc: null, CC: undefined };
  expect(decided(mail, refusing)).toEqual({ value: mail, refused: [] });
  expect(decided({ ...mail, Bcc: 'x' }, refusing).refused).toEqual(['bcc']);
});

test('the place of recipients that the service fills in is their field', () => {
  const decide = decideBy([rulesOf(refusing)]);
  const { refused } = decideMail({ to: [], cc: null }, decide, { fillsIn: ['to', 'cc'] });
  expect(refused).toEqual(['to', 'cc']);
});

test('a recipient that is added after two guards needs both, whichever is the narrower', () => {
  const wide = { allow: ['@us.example', '@them.example'] };
  for (const guards of [
    [refusing, wide],
    [wide, refusing],
  ]) {
    const decide = decideOnPassed(guards.map(rulesOf));
    expect([decide('ann@us.example'), decide('ann@them.example')]).toEqual(['allowed', 'refused']);
  }
});

describe('With any email and any guards', () => {
  /** All who are recipients of an email in any reading of it. */
  const emails = (mail: unknown) =>
    RECIPIENT_FIELDS.flatMap((name) => (mail as Record<string, unknown>)[name] ?? []);

  test('it goes only to people that the last guard allows or redirects to', () => {
    fc.assert(
      fc.property(mails, guards, (mail, options) => {
        const before = JSON.stringify(mail);
        const { value, refused } = decided(mail, ...options);
        expect(JSON.stringify(mail)).toBe(before);
        if (refused.length > 0) return;
        const { allow, otherwise } = options.at(-1) as RecipientOptions;
        const last = rulesOf({ allow, otherwise });
        for (const each of emails(value)) {
          const read = readAddress(emailOf(each));
          expect(read !== undefined && last.allows(read)).toBe(true);
        }
      }),
      often(3_000),
    );
  });

  test('recipients that every guard allows keep their field', () => {
    fc.assert(
      fc.property(mails, guards, (mail, options) => {
        const { value, refused } = decided(mail, ...options);
        if (refused.length > 0) return;
        const rules = options.map(rulesOf);
        for (const name of RECIPIENT_FIELDS) {
          const given = mail[name];
          const kept = (Array.isArray(given) ? given : []).filter((each) => {
            const read = readAddress(emailOf(each));
            return read && rules.every(({ allows }) => allows(read));
          });
          const now = ((value as Record<string, unknown>)[name] ?? []) as unknown[];
          expect(now.slice(0, kept.length)).toEqual(kept);
        }
      }),
      often(3_000),
    );
  });

  test('an email that has passed is recognized, and a redirect adds its recipient once', () => {
    fc.assert(
      fc.property(mails, guards, (mail, options) => {
        const { value, refused } = decided(mail, ...options);
        if (refused.length > 0) return;
        expect(decideMail(value, decideOnPassed(options.map(rulesOf)))).toEqual({ value, refused: [] });
        if (value === mail) return;
        for (const { otherwise } of options) {
          const target = typeof otherwise === 'object' ? readAddress(otherwise.redirectTo) : undefined;
          const added = ((value as { to?: unknown[] }).to ?? []).filter((each) => {
            const read = readAddress(emailOf(each));
            const isGiven = Array.isArray(mail.to) && mail.to.includes(each as never);
            return !isGiven && target && read && isSame(read, target);
          });
          expect(added.length).toBeLessThanOrEqual(1);
        }
      }),
      often(3_000),
    );
  });

  test('one guard that refuses has the last word: no redirect of an ancestor widens it', () => {
    fc.assert(
      fc.property(mails, guards, (mail, options) => {
        const alone = decided(mail, ...options.slice(0, 1));
        if (alone.refused.length === 0) return;
        expect(decided(mail, ...options).refused).not.toEqual([]);
      }),
      often(1_000),
    );
  });
});
