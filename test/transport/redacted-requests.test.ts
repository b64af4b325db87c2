import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_OTHER_BYTES } from '../../src/transport/response.ts';
import { Redaction, Tokens } from '../../src/transport/redaction.ts';
import { between, REDACTED, tokensOf } from '../support/redactions.ts';

const withoutSent = (...sent: unknown[]) => new Redaction(new Tokens(), () => sent);

describe('The contents of the request are cut out', () => {
  /** As many characters, no 64 of which stand in it twice. */
  const long = (length: number) =>
    Array.from({ length: Math.ceil(length / 8) }, (_, at) => `${String(at).padStart(7, '.')},`)
      .join('')
      .slice(0, length);

  test('from 64 characters on', () => {
    expect(withoutSent(long(63)).text(`<${long(63)}>`)).toBe(`<${long(63)}>`);
    expect(withoutSent(long(64)).text(`<${long(64)}>`)).toBe('<[redacted]>');
    expect(withoutSent(long(64)).text(long(64))).toBe(REDACTED);
    expect(withoutSent(long(64)).text(long(63))).toBe(long(63));
  });

  test('as a whole, and what stands around it stays', () => {
    const around = between(0, 80, 'ABC');
    fc.assert(
      fc.property(around, around, around, between(64, 300, 'abcdefgh'), (before, middle, after, sent) => {
        const redaction = withoutSent(sent);
        expect(redaction.text(before + sent + after)).toBe(before + REDACTED + after);
        expect(redaction.text(`${before}${sent}D${middle}${sent}${after}`)).toBe(
          `${before}${REDACTED}D${middle}${REDACTED}${after}`,
        );
      }),
    );
  });

  test('once, where it stands twice without anything between', () => {
    for (const length of [64, 65, 127, 128, 129]) {
      const redaction = withoutSent(long(length));
      expect(redaction.text(long(length) + long(length))).toBe(REDACTED);
      expect(redaction.text(`<${long(length)}${long(length)}>`)).toBe('<[redacted]>');
      expect(redaction.text(`${long(length)}.${long(length)}`)).toBe('[redacted].[redacted]');
    }
  });

  test('if only their beginning or end is repeated, except for fewer than 64 characters', () => {
    const redaction = withoutSent(long(400));
    expect(redaction.text(`${long(138)}…`)).toBe(`[redacted]${long(138).slice(-10)}…`);
    expect(redaction.text(`…${long(400).slice(54)}`)).toBe(`…${long(64).slice(-10)}[redacted]`);
  });

  test('if they are escaped', () => {
    const sent = `${'a b&c/"d"<é>\n'.repeat(8)}-`;
    const redaction = withoutSent(sent);
    for (const write of [JSON.stringify, (text: string) => text.replaceAll('&', '&amp;')])
      expect(withoutSent(sent, write(sent)).text(`<${write(sent)}>`)).toMatch(/^<"?\[redacted\]"?>$/);
    const ascii = 'a b&c/"d"<e>~'.repeat(8);
    for (const write of [
      encodeURIComponent,
      (text: string) => text.replace(/\W/g, (char) => `&#${char.charCodeAt(0)};`),
    ])
      expect(withoutSent(ascii).text(`<${write(ascii)}>`)).toBe('<[redacted]>');
    expect(redaction.text(`<${sent}>`)).toBe('<[redacted]>');
  });

  test('and a token in it', () => {
    const sent = `${long(70)}Aardvark-1${long(70)}`;
    const redaction = new Redaction(tokensOf('Aardvark-1'), () => [sent, long(70)]);
    expect(redaction.text(`<${long(70)}Aardvark-1>`)).toBe(`<[redacted][redacted]>`);
  });

  test('wherever in the values it stood, however deeply', () => {
    const texts = [0, 1, 2, 3].map((at) => `${at}`.repeat(70));
    let deep: unknown = texts[3];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const redaction = withoutSent(
      null,
      undefined,
      7,
      texts[0],
      { a: texts[1], b: [null, { c: texts[2] }] },
      deep,
    );
    for (const text of texts) expect(redaction.text(`<${text}>`)).toBe('<[redacted]>');
    expect(redaction.text(`<${'4'.repeat(70)}>`)).toBe(`<${'4'.repeat(70)}>`);
  });

  test('as far as a response can repeat it', () => {
    const block = (at: number) => String(at).padStart(64, '-');
    const blocks = MAX_OTHER_BYTES / 64;
    const sent = Array.from({ length: blocks + 3 }, (_, at) => block(at)).join('');
    const redaction = withoutSent(sent);
    for (const at of [0, blocks - 1, blocks + 2]) expect(redaction.text(block(at))).toBe(REDACTED);
    for (const at of [blocks, blocks + 1]) expect(redaction.text(block(at))).toBe(block(at));
  });

  test('and looked at only once it is needed', () => {
    let asked = 0;
    const redaction = new Redaction(new Tokens(), () => {
      asked += 1;
      return [long(64)];
    });
    redaction.text(long(63));
    expect(asked).toBe(0);
    redaction.text(long(64));
    redaction.text(long(99));
    expect(asked).toBe(1);
  });
});
