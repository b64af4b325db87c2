import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scriptedFetch, text } from '../support/scripted-fetch.ts';
import { virtualClient } from '../support/virtual-client.ts';

const request = (body: string) => {
  const { fetch, sent } = scriptedFetch(text(200, body, 'application/json'));
  const { client } = virtualClient({ fetch });
  return { client, sent, result: () => client.request({ method: 'GET', path: '/api/x' }) };
};

type Node = string | number | bigint | boolean | null | Node[] | { [key: string]: Node };

const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('', '"', '\\', '\\"', ': 12345678901234567890, ', '[-98765432109876543210]', null, true),
    fc.string(),
    fc.bigInt(-(10n ** 25n), 10n ** 25n),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** As JSON, whose numbers may be as long as they like. */
function written(node: Node): string {
  if (typeof node === 'bigint') return String(node);
  if (Array.isArray(node)) return `[${node.map(written).join(' , ')}]`;
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  return `{${Object.entries(node)
    .map(([key, value]) => `${JSON.stringify(key)}:\n${written(value)}`)
    .join(',')}}`;
}

/** As a caller gets it. */
function read(node: Node): unknown {
  if (typeof node === 'bigint') return Number.isSafeInteger(Number(node)) ? Number(node) : String(node);
  if (Array.isArray(node)) return node.map(read);
  if (typeof node === 'number') {
    // One of up to 1e21 is written without an exponent, like an id.
    const text = JSON.stringify(node);
    return Number.isInteger(node) && !Number.isSafeInteger(node) && !text.includes('e')
      ? text
      : JSON.parse(text);
  }
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, read(value)]));
}

describe('An id that is longer than a number can be', () => {
  test('is a string in the result, and everything else is as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (node) => {
        expect(await request(written(node)).result()).toEqual(read(node));
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['12345678901234567.5', Number('12345678901234567.5')],
    ['1.2345678901234567890', Number('1.2345678901234567890')],
    ['1234567890123456789e2', Number('1234567890123456789e2')],
  ])('%s', async (body, expected) => {
    expect(await request(body).result()).toBe(expected);
  });

  test('is accepted wherever an id is text: it comes back in the path as it came', async () => {
    const { client, sent, result } = request('{"data":[{"id":5124095576030431234}]}');
    const { data } = (await result()) as { data: { id: string }[] };
    await client.request({ method: 'GET', path: `/api/inbound/inboxes/7/messages/${data[0]?.id ?? ''}` });
    expect(sent[1]?.url).toMatch(/\/messages\/5124095576030431234$/);
  });

  test('in a body that is not JSON does not make it JSON', async () => {
    await expect(request('{5124095576030431234: 1}').result()).rejects.toMatchObject({
      code: 'response_format',
    });
  });
});
