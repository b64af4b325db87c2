import { describe, expect, test } from 'vitest';
import { readAddress } from '../../src/recipients/address.ts';
import { readEntry } from '../../src/recipients/entries.ts';

/** Whether an entry allows an address. */
function allows(entry: string, text: string): boolean {
  const address = readAddress(text);
  const read = readEntry(entry);
  if (!address || !read) throw new Error(`${entry} or ${text} cannot be read.`);
  return read(address);
}

describe('An entry of an allow-list', () => {
  test.each([
    [
      'ann@us.example',
      ['ann@us.example', 'ANN@US.EXAMPLE'],
      ['ann+x@us.example', 'bann@us.example', 'ann@us.example.org'],
    ],
    ['ann+x@us.example', ['Ann+X@us.example'], ['ann@us.example', 'ann+y@us.example', 'ann+xy@us.example']],
    [
      'ann+*@us.example',
      ['ann+x@us.example', 'ann+x+y@us.example'],
      ['ann@us.example', 'ann+@us.example', 'annx@us.example', 'bann+x@us.example', 'ann+x@a.us.example'],
    ],
    [
      '@us.example',
      ['ann@us.example', 'b+c@US.example'],
      ['ann@a.us.example', 'ann@bus.example', 'ann@us.example.org'],
    ],
    [
      '@*.us.example',
      ['ann@a.us.example', 'ann@a.b.us.example'],
      ['ann@us.example', 'ann@bus.example', 'ann@a.us.example.org'],
    ],
    ['@bücher.example', ['ann@xn--bcher-kva.example', 'ann@BÜCHER.example'], ['ann@bucher.example']],
  ] as const)('%s', (entry, allowed, others) => {
    for (const address of allowed) expect([address, allows(entry, address)]).toEqual([address, true]);
    for (const address of others) expect([address, allows(entry, address)]).toEqual([address, false]);
  });

  test.each([
    '',
    '*',
    '@',
    '@*',
    '@*.',
    '@*us.example',
    '@a.*.example',
    'us.example',
    '*@us.example',
    '+*@us.example',
    'a*n@us.example',
    'ann*@us.example',
    'ann+*@*.us.example',
    'ann@us.example, bob@us.example',
    'ann@us.example@them.example',
    '@us.example@them.example',
    'Ann <ann@us.example>',
    ' ann@us.example',
    '@us.example ',
    '@us.example/x',
    undefined,
    7,
  ])('is not %j', (entry) => {
    expect(readEntry(entry)).toBeUndefined();
  });
});
