import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { didYouMean } from '../../src/kit/did-you-mean.ts';

const NAMES = [
  'from',
  'to',
  'cc',
  'bcc',
  'reply_to',
  'subject',
  'text',
  'html',
  'timeoutMs',
  'custom_variables',
];

describe('For an unknown name, the known one is suggested', () => {
  test.each([
    ['replyTo', 'reply_to'],
    ['reply-to', 'reply_to'],
    ['ReplyTo', 'reply_to'],
    ['customVariables', 'custom_variables'],
    ['sbject', 'subject'],
    ['subjcet', 'subject'],
    ['form', 'from'],
    ['timeout', 'timeoutMs'],
    ['timeout_ms', 'timeoutMs'],
  ])('%s: %s', (name, known) => {
    expect(didYouMean(name, NAMES)).toBe(`; did you mean \`${known}\`?`);
  });

  test.each(['body', 'colour', 'x', '', 'recipients', 'attachment_files'])('not for %j', (name) => {
    expect(didYouMean(name, NAMES)).toBe('');
  });

  test('the nearest of several', () => {
    expect(didYouMean('texts', ['test', 'text', 'exts'])).toContain('`text`');
  });

  test('for any name with one letter too many, too few or another, but never for one of any length', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('subject', 'custom_variables'),
        fc.nat(6),
        fc.constantFrom('', 'x', 'qz'),
        (known, at, put) => {
          expect(didYouMean(known.slice(0, at) + put + known.slice(at + 1), NAMES)).toContain(`\`${known}\``);
        },
      ),
    );
    expect(didYouMean(`subject${'t'.repeat(100_000)}`, NAMES)).toBe('');
  });
});
