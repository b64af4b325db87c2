import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeBase, completeEmail, completeMail } from '../../../src/resources/sending/mail/input.ts';

const ann = 'ann@example.org';

describe('An address as text', () => {
  test.each([
    [ann, { email: ann }],
    [` ${ann} `, { email: ann }],
    [`Ann <${ann}>`, { email: ann, name: 'Ann' }],
    [`Ann Lee< ${ann} >`, { email: ann, name: 'Ann Lee' }],
    [`<${ann}>`, { email: ann }],
    [`"Lee, Ann" <${ann}>`, { email: ann, name: 'Lee, Ann' }],
    [String.raw`"The \"Ann\" \\ co" <ann@example.org>`, { email: ann, name: String.raw`The "Ann" \ co` }],
    [`Änn 🌱 <${ann}>`, { email: ann, name: 'Änn 🌱' }],
    [`Ann\r\nBcc: x <${ann}>`, { email: ann, name: 'Ann\r\nBcc: x' }],
  ])('%j', (text, address) => {
    expect(
      completeMail({ from: text, reply_to: text, to: [text], cc: [text], bcc: [text, { email: 'b@x' }] }),
    ).toEqual({
      from: address,
      reply_to: address,
      to: [address],
      cc: [address],
      bcc: [address, { email: 'b@x' }],
    });
  });

  test.each([
    '',
    'nobody',
    'a@@b',
    `Ann <${ann}`,
    `Ann ${ann}>`,
    `Ann <a@b> <${ann}>`,
    'Ann <>',
    `a b@c.org`,
    '"a, b"@example.org',
    `"Ann, ${ann}`,
  ])('without an address in it is given to the service as it is: %j', (text) => {
    expect(completeMail({ from: text, to: [text], cc: text })).toEqual({
      from: { email: text },
      to: [{ email: text }],
      cc: [{ email: text }],
    });
  });

  test.each([
    `${ann}, ben@example.org`,
    `${ann};ben@example.org`,
    `Ann <${ann}>, Ben <ben@example.org>`,
    `Lee, Ann <${ann}>`,
    `"Lee, Ann" <${ann}>; ben@example.org`,
    `"a\\"" , b`,
    ',',
  ])('with several in it stays text, and is left to the check: %j', (text) => {
    const mail = { from: text, reply_to: text, to: text, cc: [text] };
    expect(completeMail(mail)).toEqual(mail);
  });

  test.each<[unknown, unknown]>([
    [ann, [{ email: ann }]],
    [`Ann <${ann}>`, [{ email: ann, name: 'Ann' }]],
    [{ email: ann }, [{ email: ann }]],
    [[], []],
    [7, 7],
    [null, null],
  ])('alone is a list of one recipient: %j', (given, list) => {
    expect(completeMail({ to: given, cc: given, bcc: given })).toEqual({ to: list, cc: list, bcc: list });
    expect(completeMail({ from: { email: ann } })).toEqual({ from: { email: ann } });
  });

  test('with any name returns that name', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text.trim() === text && !/[<>]/.test(text));
    fc.assert(
      fc.property(name, (text) => {
        const quoted = `"${text.replace(/["\\]/g, '\\$&')}" <${ann}>`;
        expect(completeMail({ from: quoted })).toEqual({ from: { email: ann, name: text } });
      }),
    );
  });

  test('is read in linear time, at any length', () => {
    for (const text of [
      ' '.repeat(200_000),
      '<'.repeat(200_000),
      `${'a '.repeat(100_000)}<${ann}>`,
      '"\\'.repeat(100_000),
      '"'.repeat(200_001),
      `${'a@'.repeat(100_000)}"`,
    ])
      expect(completeMail({ from: text })).toBeDefined();
  });
});

describe('The caller’s email', () => {
  test('is not changed', () => {
    const mail = Object.freeze({ from: ann, to: Object.freeze([ann]) });
    expect(completeMail(mail, { category: 'news' })).toEqual({
      from: { email: ann },
      to: [{ email: ann }],
      category: 'news',
    });
    expect(mail).toEqual({ from: ann, to: [ann] });
  });

  test('is copied where there is nothing to do', () => {
    for (const mail of [{ from: { email: ann } }, {}]) {
      const copy = completeMail(mail, undefined);
      expect(copy).not.toBe(mail);
      expect({ ...copy }).toEqual(mail);
    }
  });

  test('is returned itself if it is not an object, or cannot be read', () => {
    const hostile = {
      get from() {
        throw new Error('no');
      },
    };
    for (const mail of [null, 'text', 7, [ann], hostile]) expect(completeMail(mail, undefined)).toBe(mail);
    expect(completeMail(hostile, { category: 'news' })).toBe(hostile);
  });
});

describe('A default is left out of an email that it does not fit', () => {
  const template_uuid = 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77';
  const from = { email: 'us@example.com' };
  const reply_to = { email: 'help@example.com' };
  const defaults = { from, reply_to, category: 'ours' };
  const headers = { 'reply-TO': 'a@b.c, d@e.f' };

  test('the category out of one from a template', () => {
    expect(completeMail({ template_uuid }, defaults)).toEqual({ template_uuid, from, reply_to });
    expect(completeMail({ template_uuid: null }, defaults)).toMatchObject({ category: 'ours' });
  });

  test('the reply address out of one with a Reply-To header', () => {
    expect(completeMail({ headers }, defaults)).toEqual({ headers, from, category: 'ours' });
    expect(completeMail({ headers: { 'X-A': 'b' } }, defaults)).toMatchObject({ reply_to });
  });

  test('in a batch as well, where the sender is in the base, and the others are in the emails that they fit', () => {
    const base = completeBase({ template_uuid }, defaults);
    expect(base).toEqual({ template_uuid, from });
    expect(completeMail({}, defaults, base)).toEqual({ reply_to });
    expect(completeMail({ template_uuid: null }, defaults, base)).toMatchObject({ category: 'ours' });
    expect(completeMail({ template_uuid }, defaults, { from })).toEqual({ template_uuid, reply_to });
    expect(completeMail({}, defaults, { from, headers })).toEqual({ category: 'ours' });
    expect(completeMail({ headers: {} }, defaults, { from, headers })).toMatchObject({ reply_to });
  });

  test('and of one whose base has its own, null included', () => {
    const base = { from, reply_to: null, category: 'theirs' };
    expect(completeMail({}, defaults, base)).toEqual({});
    expect(completeMail({ category: null }, defaults, { from, reply_to })).toEqual({ category: null });
  });

  test('and a batch has a base only if there is something in it', () => {
    expect(completeBase(undefined, undefined)).toBeUndefined();
    expect(completeBase(undefined, { category: 'ours' })).toBeUndefined();
    expect(completeBase(undefined, defaults)).toEqual({ from });
    expect(completeBase({}, undefined)).toEqual({});
    // What is no base is refused elsewhere.
    for (const wrong of ['text', null] as never[]) expect(completeBase(wrong, defaults)).toBe(wrong);
  });
});

describe('Defaults', () => {
  const defaults = {
    from: { email: 'us@example.com' },
    reply_to: `Help <help@example.com>`,
    category: 'ours',
  };

  test('fill in what an email does not have', () => {
    expect(completeMail({ subject: 'Hi' }, defaults)).toEqual({
      subject: 'Hi',
      from: { email: 'us@example.com' },
      reply_to: { email: 'help@example.com', name: 'Help' },
      category: 'ours',
    });
  });

  test('do not replace what it has, null included; undefined counts as nothing, on both sides', () => {
    expect(
      completeMail({ from: ann, reply_to: null, category: undefined }, { ...defaults, from: undefined }),
    ).toEqual({
      from: { email: ann },
      reply_to: null,
      category: 'ours',
    });
  });
});

describe('An empty `to`', () => {
  const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

  test.each([
    [{ to: [], cc: ann }, { cc: [{ email: ann }] }],
    [{ to: [], bcc: [ann] }, { bcc: [{ email: ann }] }],
    [
      { to: [], cc: [], bcc: ann },
      { cc: [], bcc: [{ email: ann }] },
    ],
    // Without recipients, the check or the service refuses the email.
    [{ to: [] }, { to: [] }],
    [
      { to: [], cc: [] },
      { to: [], cc: [] },
    ],
    [
      { to: ann, cc: [] },
      { to: [{ email: ann }], cc: [] },
    ],
    [
      { to: '', cc: ann },
      { to: [{ email: '' }], cc: [{ email: ann }] },
    ],
  ])('of %j is sent as %j', (input, sent) => {
    expect(json(completeEmail(input))).toEqual(sent);
  });

  test('of an instance of a class is left out, and the instance stays as it is', () => {
    class Mail {
      readonly to = [];
      readonly cc = ann;
    }
    const given = new Mail();
    expect(json(completeEmail(given))).toEqual({ cc: [{ email: ann }] });
    expect(given.to).toEqual([]);
  });

  test('that cannot be read stays', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
        get: () => {
          throw new Error('no');
        },
        has: () => true,
      },
    );
    expect(completeEmail(hostile)).toBe(hostile);
  });
});
