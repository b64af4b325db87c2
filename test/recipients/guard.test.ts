import { RecipientRefusedError } from 'email-platform';
import { expect, test } from 'vitest';
import type { Reach } from '../../src/core/reach.ts';
import { createGuard } from '../../src/recipients/guard.ts';
import { rulesOf } from '../../src/recipients/options.ts';

const guard = createGuard([rulesOf({ allow: ['@us.example'] })]);
const REACHES: readonly Reach[] = [
  { kind: 'mail' },
  { kind: 'mails' },
  { kind: 'address', field: 'email' },
  { kind: 'addresses', field: 'emails' },
];

test.each(REACHES)('a body that is not an object is refused, in a request with its $kind', (reach) => {
  const request = { operation: 'x.y', method: 'POST' as const, reaches: () => reach };
  for (const json of ['null', '7', '"ann@us.example"', '["ann@us.example"]', '[{}]']) {
    expect(() => guard.pass(request, json), json).toThrow(RecipientRefusedError);
    expect(() => guard.verify(request, json), json).toThrow(RecipientRefusedError);
  }
  expect(() => guard.pass(request, undefined)).toThrow(RecipientRefusedError);
});
