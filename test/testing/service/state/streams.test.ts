import { expect, test } from 'vitest';
import { State } from '../../../../src/testing/service/state/base/state.ts';
import { SEEDS, Streams, type StreamName } from '../../../../src/testing/service/state/base/streams.ts';

const names = Object.keys(SEEDS) as StreamName[];

test('no two streams draw the same', () => {
  const streams = new Streams(new State());
  expect(new Set(names.map((name) => streams.of(name).hex(32))).size).toBe(names.length);
});

test('the numbers of one stream do not depend on the others', () => {
  const [alone, among] = [new Streams(new State()), new Streams(new State())];
  for (const name of names) if (name !== 'webhooks') among.of(name).hex(100);
  expect(among.of('webhooks').hex(32)).toBe(alone.of('webhooks').hex(32));
});
