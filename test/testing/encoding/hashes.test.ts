import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmac } from '../../../src/testing/encoding/hashes.ts';

test('hmac is HMAC-SHA-256, for secrets and texts of any length', () => {
  // The second test case of RFC 4231.
  expect(hmac('Jefe', 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  const text = fc.string({ unit: 'grapheme', size: 'large' });
  fc.assert(
    fc.property(text, text, (secret, message) => {
      expect(hmac(secret, message)).toBe(createHmac('sha256', secret).update(message).digest('hex'));
    }),
  );
  for (let length = 50; length < 140; length += 1) {
    const [secret, message] = ['k'.repeat(length), 'm'.repeat(length)];
    expect(hmac(secret, message)).toBe(createHmac('sha256', secret).update(message).digest('hex'));
  }
});
