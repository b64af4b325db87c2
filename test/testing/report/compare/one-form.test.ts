/** Edits of HTML that nobody sees are no change; the edits beside them that somebody sees are one. */
import { expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import { emptyReport, reportMail } from '../../../support/report-data.ts';

const reportOf = (html: string) => ({
  ...emptyReport,
  kinds: [{ id: 'k1', name: 'order', by: 'category' as const, count: 2, checked: 2 }],
  mails: ['ann', 'ben'].map((name, index) =>
    reportMail(String(index + 1), { subject: 'Order', to: `${name}@example.org`, html }),
  ),
});
const stateOf = (before: string, after: string) =>
  compareData([reportOf(before)], reportOf(after)).kinds.map(({ state }) => state);

test.each<[edit: string, before: string, unseen: string, seen: string]>([
  [
    'the order of attributes',
    '<p><a href="https://a.example/x" class="b" title="c">Go</a></p>',
    '<p><a title="c" class="b" href="https://a.example/x">Go</a></p>',
    '<p><a title="c" class="b" href="https://a.example/y">Go</a></p>',
  ],
  ['the order of classes', '<p class="a  b">Hi</p>', '<p class="b a">Hi</p>', '<p class="b c">Hi</p>'],
  [
    'the case of tags and attributes',
    '<TD ALIGN="left">Hi</TD>',
    '<td align="left">Hi</td>',
    '<td align="right">Hi</td>',
  ],
  ['quotes of attributes', '<td width=600>Hi</td>', "<td width='600'>Hi</td>", "<td width='640'>Hi</td>"],
  [
    'the end of an empty tag',
    '<p>Mill Lane<br>Leeds</p>',
    '<p>Mill Lane<br />Leeds</p>',
    '<p>Mill Lane Leeds</p>',
  ],
  [
    'the case of the document type',
    '<!DOCTYPE html><p>Hi</p>',
    '<!doctype html><p>Hi</p>',
    '<!doctype html><h1>Hi</h1>',
  ],
  ['a named letter', '<p>Caf&eacute; &uuml;ber</p>', '<p>Café über</p>', '<p>Cafe über</p>'],
  ['a numbered letter', '<p>Caf&#233; d&#x27;or</p>', "<p>Caf&eacute; d'or</p>", "<p>Caf&egrave; d'or</p>"],
  ['a space that does not break', '<p>12&nbsp;€</p>', '<p>12\u00a0&euro;</p>', '<p>12&euro;</p>'],
  [
    'an ampersand in a link',
    '<a href="https://a.example/x?b=one&c=two">Go</a>',
    '<a href="https://a.example/x?b=one&amp;c=two">Go</a>',
    '<a href="https://a.example/x?b=one&amp;c=three">Go</a>',
  ],
  ['a sign in a text', '<p>a > b & c</p>', '<p>a &gt; b &amp; c</p>', '<p>a &lt; b &amp; c</p>'],
  [
    'a comment',
    '<p>Hi</p><!-- header --><p>Go</p>',
    '<p>Hi</p><!-- <b>top</b> --><p>Go</p>',
    '<p>Hi</p><b>top</b><p>Go</p>',
  ],
  [
    'a condition of a mail program',
    '<!--[if mso]><p>Old</p><![endif]--><p>Hi</p>',
    '<!--[if mso]><p>Old</p><![endif]--><!-- x --><p>Hi</p>',
    '<!--[if mso]><p>New</p><![endif]--><p>Hi</p>',
  ],
  [
    'white space of a style',
    '<p style="color: red; margin :0 auto">Hi</p>',
    '<p style="color:red;margin:0 auto;">Hi</p>',
    '<p style="color:red;margin:0 4px;">Hi</p>',
  ],
  [
    'white space and comments of a style sheet',
    '<style>a:hover { color: red }\n/* links */ p { margin: 0 }</style><p>Hi</p>',
    '<STYLE>a:hover{color:red}p{margin:0}</STYLE><p>Hi</p>',
    '<style>a :hover{color:red}p{margin:0}</style><p>Hi</p>',
  ],
])('%s is not a change', (_, before, unseen, seen) => {
  expect(stateOf(before, unseen)).toEqual(['same']);
  expect(stateOf(unseen, before)).toEqual(['same']);
  expect(stateOf(before, seen)).toEqual(['changed']);
  expect(stateOf(seen, unseen)).toEqual(['changed']);
});
