import { expect, test } from 'vitest';
import {
  withLinksInNewTabs,
  withoutConnections,
  withoutOpeners,
  withScheme,
} from '../../../src/testing/common/inert-links.ts';

test.each([
  [
    '<a title="3 > 2" target="_self" href="#">x</a>',
    '<a target="_blank" title="3 > 2" target="_self" href="#">x</a>',
  ],
  [
    '<svg><a href="https://x.example/">x</a></svg>',
    '<svg><a target="_blank" href="https://x.example/">x</a></svg>',
  ],
  ['<AREA/href=x><abbr>', '<AREA target="_blank"/href=x><abbr>'],
])('each link asks for a window first, so that no later attribute counts: %s', (html, expected) => {
  expect(withLinksInNewTabs(html)).toBe(`<base target="_blank">${expected}`);
});

test('no element is left with which a browser connects by itself, and no link keeps its opener', () => {
  const html =
    '<LINK rel=preconnect href=x><template shadowrootmode=open><link/rel=dns-prefetch></template><iframe src=x>';
  expect(withoutConnections(html)).not.toMatch(/<(?:link|iframe|frame)/i);
  expect(withoutOpeners('<a rel=opener href=x>')).toBe('<a rel="noreferrer noopener" rel=opener href=x>');
});

test('an email has the chosen colour scheme, whatever the screen has', () => {
  const html = '@media (prefers-color-scheme: dark){a} @media screen and ( PREFERS-color-scheme:light ){b}';
  expect(withScheme(html, 'dark')).toBe('@media (min-width: 0){a} @media screen and (max-width: 0){b}');
  expect(withScheme(html, 'light')).toBe('@media (max-width: 0){a} @media screen and (min-width: 0){b}');
});
