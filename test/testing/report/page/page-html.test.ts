import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { expect, test } from 'vitest';
import { reportHtml } from '../../../../src/testing/report/file/page-html.ts';
import { emptyReport, hostileReport, shopReport } from '../../../support/report-data.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function* elements(node: Node): Generator<Element> {
  if ('tagName' in node) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child);
}
const attribute = (element: Element, name: string) => element.attrs.find((attr) => attr.name === name)?.value;
const textOf = ({ childNodes }: Element) =>
  childNodes.map((child) => ('value' in child ? child.value : '')).join('');

const hostile = hostileReport('http://127.0.0.1:9');

test.each([
  ['an ordinary run', shopReport],
  ['a hostile run', hostile],
])('the file of %s has one script, known by its hash, and the data as it was', async (_, data) => {
  const all = [...elements(parse(await reportHtml(data)))];
  const [block, script, ...more] = all.filter(({ tagName }) => tagName === 'script');
  expect(more).toEqual([]);
  expect(block && attribute(block, 'type')).toBe('application/json');
  expect(JSON.parse(block ? textOf(block) : '')).toEqual(data);
  const hash = createHash('sha256')
    .update(script ? textOf(script) : '')
    .digest('base64');
  const policy = all.find((element) => attribute(element, 'http-equiv') === 'Content-Security-Policy');
  expect(policy && attribute(policy, 'content')).toBe(
    `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  // The policy counts for elements after it.
  expect(all.findIndex(({ tagName }) => tagName === 'style')).toBeGreaterThan(
    all.findIndex((element) => element === policy),
  );
  const addresses = all.flatMap((element) =>
    ['src', 'href'].flatMap((name) => attribute(element, name) ?? []),
  );
  expect(addresses).toEqual([expect.stringMatching(/^data:image\/svg\+xml,/)]);
});

test('without its data the file has at most 80 kB, compressed', async () => {
  const size = gzipSync(await reportHtml(emptyReport)).length;
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThan(80_000);
});
