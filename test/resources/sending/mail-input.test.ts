import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeMail } from '../../../src/resources/sending/mail-input.ts';

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
    ' ',
    'Ann',
    `Ann <${ann}`,
    `Ann ${ann}>`,
    `${ann}, ben@example.org`,
    `Ann <a@b> <${ann}>`,
    'Ann <>',
    `a b@c.org`,
  ])('%j is none, and left to the check', (text) => {
    const mail = { from: text };
    expect(completeMail(mail)).toEqual(mail);
    expect(completeMail({ to: [text] })).toEqual({ to: [text] });
  });

  test('of any name comes back as that name', () => {
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

  test('of any length is read in a time that grows with it, not faster', () => {
    for (const text of [
      ' '.repeat(200_000),
      '<'.repeat(200_000),
      `${'a '.repeat(100_000)}<${ann}>`,
      '"\\'.repeat(100_000),
      `${'a@'.repeat(100_000)}"`,
    ])
      expect(completeMail({ from: text })).toBeDefined();
  });
});

describe('What the caller passed', () => {
  test('is not changed', () => {
    const mail = Object.freeze({ from: ann, to: Object.freeze([ann]) });
    expect(completeMail(mail, { category: 'news' })).toEqual({
      from: { email: ann },
      to: [{ email: ann }],
      category: 'news',
    });
    expect(mail).toEqual({ from: ann, to: [ann] });
  });

  test('is returned itself where there is nothing to do, or it cannot be read', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    for (const mail of [{ from: { email: ann } }, {}, null, 'text', 7, [ann], hostile])
      expect(completeMail(mail, undefined)).toBe(mail);
    expect(completeMail(hostile, { category: 'news' })).toBe(hostile);
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
