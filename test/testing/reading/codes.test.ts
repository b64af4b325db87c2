import { describe, expect, test } from 'vitest';
import { said } from './said.ts';

const codes = (html: string) => said({ html }).codes;

describe('A code', () => {
  test.each([
    '<p>Your code is 123456.</p>',
    '<p>123456 is your Acme code</p>',
    '<p>Your code:123456</p>',
    '<p>Your code: "123456" (valid for 10 minutes)</p>',
    '<p>Your code is (123456), sent on 24 November 2026 at 12:30</p>',
    '<p>Code *123456*</p>',
    '<p>确认码：123456，请勿泄露</p><p>验证码是123456。</p>',
    '<p>Your code is</p><p>123456</p>',
    '<table><td>Order 4711</td><td>123456</td></table>',
    '<p>Order 48213, your code is <b>123456</b></p>',
    '<p>Order 48213, your code is <b><i>123</i><i>456</i></b></p>',
    '<p>Order 48213</p><p>Code 123456</p><span>1</span><p><span>1</span><span>2</span><span>3</span><span>4</span><span>5</span><span>6</span></p>',
    '<p>Order 48213, your code:<br>123456<br>Thank you</p>',
    '<p>Your code is 123456</p><p>Repeat: 123456</p>',
    '<p>Your code is 12<!-- -->34<wbr>56</p>',
    '<p>Your code is 123\u200b456</p>',
    '<div style="font-size:0"><span style="font-size:16px">123456</span></div>',
    '<div style="visibility:hidden">4711<b style="visibility:visible">123456</b></div>',
  ])('%s', (html) => {
    expect(codes(html)).toEqual(['123456']);
    expect(said({ html }).code()).toBe('123456');
  });

  test.each([
    ['<p>https://a.test/123456</p>', 'part of "https://a.test/123456"'],
    ['<p>localhost:123456</p>', 'part of "localhost:123456"'],
    ['<p>a123456@b.test</p>', 'part of "a123456@b.test"'],
    ['<p>#123456</p>', 'part of "#123456"'],
    ['<p>FB-123456</p>', 'part of "FB-123456"'],
    ['<p>A123456</p>', 'part of "A123456"'],
    ['<p>+123456</p>', 'part of "+123456"'],
    ['<p>code=1&id=123456</p>', 'part of "code=1&id=123456"'],
    ['<p>2026-1124</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>1234.50</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>1234 5678</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>+49 30 123456</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>(030) 123456</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>24/11/2026</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>€1234</p>', 'an amount'],
    ['<p>1234&nbsp;€</p>', 'an amount'],
    ['<p>USD 123456</p>', 'an amount'],
    ['<p>123456 USD</p>', 'an amount'],
    ['<p>123456円</p>', 'an amount'],
    ['<p>expires in 3600 seconds</p>', 'a quantity'],
    ['<p>Call us at 1234567</p>', 'a phone number'],
    ['<p>Tel: 1234567</p>', 'a phone number'],
    ['<p><a href="tel:1234567">1234567</a></p>', 'a phone number'],
    ['<address>Acme 12345</address>', 'an address'],
    ['<p>Acme, 548 Market St, San Francisco, CA 94103</p>', 'part of an address'],
    ['<p>1600 Amphitheatre Parkway</p>', 'part of an address'],
    ['<p>Musterstraße 1234<br>x</p>', 'part of an address'],
    ['<p>Acme GmbH, 10115 Berlin</p>', 'part of an address'],
    ['<p>10115 Berlin</p>', 'part of an address'],
    ['<p>P.O. Box 12345</p>', 'part of an address'],
    ['<p>© 2026</p>', 'a year'],
    ['<p>24 November 2026</p>', 'a year'],
    ['<b>1999</b>', 'a year'],
  ])('is not in %s', (html, reason) => {
    const { codes: found, reasons, code } = said({ html });
    expect(found).toEqual([]);
    expect(Object.values(reasons)).toContain(reason);
    expect(() => code()).toThrow(`is ${reason}`);
  });

  test.each([
    '<p>123</p>',
    '<p>123456789</p>',
    '<style>.a { width: 123456 }</style><style>123456</style>',
    '<title>123456</title><script>123456</script><!-- 123456 -->',
    '<div style="display:none">123456</div>',
    '<div style="DISPLAY : none !important; display: block">123456</div>',
    '<div style="opacity:0">123456</div><div style="font-size:0px">123456</div>',
    '<div style="max-height:0;overflow:hidden">123456</div>',
    '<div style="visibility:hidden">123456</div>',
    '<div hidden>123456</div>',
    '<style>/* a */ .preheader, p { display: none !important }</style><div class="x preheader">123456</div><p>123456',
    '<style>@media screen and (min-width: 480px) { #a { display: none } }</style><div id=a>123456</div>',
    '<style media="screen">td.a { display: none }</style><table><td class=a>123456</table>',
    '<img alt="x"><input value="123456"><a href="https://a.test/123456" title="123456">x</a>',
  ])('is not in %s', (html) => {
    expect(said({ html }).codes).toEqual([]);
    expect(() => said({ html }).code()).toThrow('has no code of 4 to 8 digits that stand alone');
  });

  test.each([
    '<style>@media (max-width: 480px) { .a { display: none } }</style><p class=a>123456',
    '<style>@media print { .a { display: none } } @media (prefers-color-scheme: dark) { .a { display: none } }</style><p class=a>123456',
    '<style>.a { display: none } #b { display: block }</style><p class=a id=b>123456',
    '<style>.b .a { display: none } .a:hover { display: none }</style><p class=a>123456',
    '<style>@font-face { display: none } .a { color: red }</style><p class=a>123456',
    '<div hidden style="display:block">123456</div>',
    '<div style="height:0">123456</div>',
  ])('is in %s', (html) => {
    expect(codes(html)).toEqual(['123456']);
  });

  test('is ambiguous among several: the error quotes the text before each', () => {
    const html = '<p>Order number <b>48213</b></p><p>Your verification code is <b>123456</b>.</p>';
    expect(() => said({ html }).code()).toThrow(
      'It has 2 codes: "48213" after "Order number", "123456" after "Your verification code is". Name one by a pattern',
    );
    expect(said({ html }).code(/code is (\d+)/)).toBe('123456');
  });

  test('in a text is on its own line, or stands alone', () => {
    expect(said({ text: 'Order 48213\r\n\r\n  123456\r\n' }).code()).toBe('123456');
    expect(said({ text: 'Your code is 123456, valid until 12:30.' }).code()).toBe('123456');
  });
});

describe('code(pattern)', () => {
  const html = '<p>Your code is <b>AB-12 CD</b>.</p><table><td>PIN:<td>12&nbsp;34</table>';

  test('returns its first group, or the match', () => {
    const { code } = said({ html });
    expect(code(/code is ([\w-]+ \w+)/)).toBe('AB-12 CD');
    expect(code(/[A-Z]{2}-\d\d [A-Z]{2}/gy)).toBe('AB-12 CD');
    expect(code(/PIN: (\d\d \d\d)/)).toBe('12 34');
  });

  test('says what it did not find, or found too often', () => {
    const { code } = said({ html });
    expect(() => code(/nothing/)).toThrow('It has no text that matches /nothing/: "Your code is AB-12 CD.');
    expect(() => code(/\d\d/)).toThrow(
      'It has several texts that match /\\d\\d/: "12" after "Your code is AB-", "34" after',
    );
  });
});
