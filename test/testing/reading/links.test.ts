import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressesIn } from '../../../src/testing/reading/text/addresses.ts';
import { said } from './said.ts';

const links = (html: string) => said({ html }).links.map(({ url, text }) => `${text} → ${url}`);

describe('Links', () => {
  test.each([
    ['an entity', '<a href="https://a.test/?b=1&amp;c=2">x</a>', ['x → https://a.test/?b=1&c=2']],
    [
      'an entity without an end',
      '<a href="https://a.test/?b=1&lang=en">x</a>',
      ['x → https://a.test/?b=1&lang=en'],
    ],
    ['no quotes', '<A HREF=https://a.test/b>x</A>', ['x → https://a.test/b']],
    ['an address without a path', '<a href="https://A.Test">x</a>', ['x → https://a.test/']],
    [
      'mailto and tel',
      '<a href="mailto:a@b.test">m</a><a href="tel:+123">t</a>',
      ['m → mailto:a@b.test', 't → tel:+123'],
    ],
    [
      'relative addresses',
      '<a href="/b">x</a><a href="">y</a><a href="#top">z</a><a href="?q">q</a><a href="{{url}}">u</a>',
      [],
    ],
    ['a script', '<a href="javascript:alert(1)">x</a><a href=" JaVaScRiPt:alert(1)">y</a>', []],
    [
      'control characters in a script',
      '<a href="java\nscript:alert(1)">x</a><a href="&#1;java&Tab;script:alert(1)">y</a>',
      [],
    ],
    [
      'control characters in an address',
      '<a href=" https://a.test/b\n\tc ">x</a>',
      ['x → https://a.test/bc'],
    ],
    [
      'a base',
      '<base href="https://a.test/b/"><a href="c">x</a><a href="//d.test">y</a>',
      ['x → https://a.test/b/c', 'y → https://d.test/'],
    ],
    [
      'the first of two bases, after the link',
      '<a href="c">x</a><base><base href="https://a.test/"><base href="https://b.test/">',
      ['x → https://a.test/c'],
    ],
    ['a relative base', '<base href="/b/"><base href="https://a.test/"><a href="c">x</a>', []],
    ['a base that is data', '<base href="data:,x"><a href="c">x</a>', []],
    [
      'nested links',
      '<a href="https://a.test/">x<a href="https://b.test/">y</a></a>',
      ['x → https://a.test/', 'y → https://b.test/'],
    ],
    [
      'a comment',
      '<!-- <a href="https://a.test/">x</a> --><!--[if mso]><a href="https://b.test/">y</a><![endif]-->',
      [],
    ],
    [
      'a conditional that everybody shows',
      '<![if !mso]><a href="https://a.test/">x</a><![endif]>',
      ['x → https://a.test/'],
    ],
    [
      'content without scripts',
      '<noscript><a href="https://a.test/">x</a></noscript>',
      ['x → https://a.test/'],
    ],
    ['a template', '<template><a href="https://a.test/">x</a></template>', []],
    ['a text area', '<textarea><a href="https://a.test/">x</a></textarea>', []],
    ['an image', '<a href="https://a.test/"><img alt=" The  shop "></a>', ['The shop → https://a.test/']],
    ['an image without a text', '<a href="https://a.test/"><img src=x></a>', [' → https://a.test/']],
    ['blocks', '<a href="https://a.test/"><div>One</div><div>two</div></a>', ['One two → https://a.test/']],
    [
      'hidden text',
      '<a href="https://a.test/"><span style="display: none">no </span>yes</a>',
      ['yes → https://a.test/'],
    ],
    ['a link that is not seen', '<div hidden><a href="https://a.test/">x</a></div>', [' → https://a.test/']],
    ['a link of an SVG', '<svg><a href="https://a.test/"><text>x</text></a></svg>', ['x → https://a.test/']],
    [
      'an area and an anchor without an address',
      '<map><area href="https://a.test/"></map><a name=x>y</a>',
      [],
    ],
  ])('%s', (_, html, expected) => {
    expect(links(html)).toEqual(expected);
  });

  test('in a text are its addresses, without trailing punctuation', () => {
    const text =
      'See https://a.test/b?c=1, (http://c.test/d_(e)) and <https://f.test>.\nNot xhttps://g.test or ftp://h.test. HTTPS://I.test/!';
    expect(said({ text }).links).toEqual([
      { url: 'https://a.test/b?c=1', text: 'https://a.test/b?c=1' },
      { url: 'http://c.test/d_(e)', text: 'http://c.test/d_(e)' },
      { url: 'https://f.test/', text: 'https://f.test' },
      { url: 'https://i.test/', text: 'HTTPS://I.test/' },
    ]);
  });
});

describe('An address in a text ends', () => {
  const address = 'https://shop.example.com/c?x=1';

  test.each([
    `こちらから確認してください：${address}。よろしくお願いします`,
    `確認：${address}です`,
    `请点击${address}，谢谢`,
    `點擊「${address}」確認`,
    `確認（${address}）`,
    `${address}에서 확인하세요`,
    `กดที่ ${address}เพื่อยืนยัน`,
    `See ${address}… and more`,
    `Open \`${address}\` now`,
    `Open “${address}” now`,
    `„${address}“ öffnen`,
    `« ${address} »`,
    `Open ${address}—now`,
    `${address}، شكرا`,
    `Open <${address}>, (${address}), [${address}] or ${address}.`,
    ...[
      '🎉',
      '¹',
      '’s',
      "'s",
      "'s.",
      '”)',
      ')”',
      ']·',
      '](#top)',
      '|',
      '}',
      '\\',
      '**',
      ']· Help',
      '(see',
    ].map((after) => `Open ${address}${after}`),
    ...[',', ';', '|', '](', ')('].map((between) => `Open ${address}${between}${address}`),
    `_${address}_`,
  ])('where a person ends it: %s', (text) => {
    expect([...new Set(said({ text }).links.map(({ url }) => url))]).toEqual([address]);
  });

  test('before every sign outside ASCII', () => {
    const signs = Array.from({ length: 0xffff - 0xa0 }, (_, index) =>
      String.fromCodePoint(0xa0 + index),
    ).filter((sign) => /[\p{P}\p{S}\p{Z}\p{Cf}\p{Cc}]/u.test(sign) && !/[\u200c\u200d]/.test(sign));
    const kept = [address, 'https://a.test/legal', 'https://a.test'].flatMap((one) =>
      signs.filter((sign) =>
        [sign, `${sign}more`].some((after) => addressesIn(one + after)[0]?.text !== one),
      ),
    );
    expect(signs.length).toBeGreaterThan(4_000);
    expect(kept).toEqual([]);
  });

  test.each(",;!'*()[]{}|=&+~$^".split(''))('after its host before %s', (sign) => {
    expect(addressesIn(`See https://a.test${sign}more`)[0]?.text).toBe('https://a.test');
  });

  test('where it ends, with any path and query, and any sign after it', () => {
    const part = fc.stringMatching(/^[\w.~!$&+=:@%-]{0,20}[\da-z=-]$/);
    const written = fc
      .tuple(part, part, part)
      .map(([path, query, hash]) => `https://a.test/${path}?${query}#${hash}`);
    fc.assert(
      fc.property(
        written,
        fc.constantFrom('·', '—', '→', '”', '»', '…', '。', '†'),
        fc.string(),
        (one, sign, after) => {
          expect(addressesIn(`Open “${one}${sign}${after}`)[0]?.text).toBe(one);
        },
      ),
    );
  });

  test.each([
    'https://a.test/?token=abc_',
    'https://user:p%40@a.test:80/x?y',
    "https://a.test/O'Brien",
    'https://de.wikipedia.org/wiki/Stuttgart_(Begriffsklärung)',
    'https://a.test/?family=A|B&ids[0]=1&ids[1]=2',
    'https://web.archive.org/web/2026/https://b.test/',
    'https://a.test/reset?token=',
    'https://a.test/straße/می\u200cشود',
    'https://[::1]:8080/x',
  ])('and keeps %s whole', (address) => {
    expect(said({ text: `See ${address}.` }).links.map(({ text }) => text)).toEqual([address]);
  });

  test('a bar ends a path', () => {
    expect(said({ text: 'https://a.test/x|Help' }).links.map(({ url }) => url)).toEqual(['https://a.test/x']);
  });

  test('and keeps a host of such letters', () => {
    const { links } = said({ text: '確認：https://例え.example/c?x=1。よろしく' });
    expect(links).toEqual([{ url: 'https://xn--r8jz45g.example/c?x=1', text: 'https://例え.example/c?x=1' }]);
  });
});

test.each(['/', '', '#', '{{base}}', 'shop.example.com', 'data:text/html,x', '../', '//shop.example.com/'])(
  'a base %j does not count',
  (base) => {
    const html = `<base href="${base}"><a href="https://a.test/1">One</a><a href="/2">Two</a>`;
    expect(said({ html }).links).toEqual([{ url: 'https://a.test/1', text: 'One' }]);
  },
);

describe('link()', () => {
  const html = `<a href="https://a.test/confirm?x=1">Confirm&nbsp;your
    <b>Address</b></a> <a href="https://a.test/help">Caf&eacute;</a> <a href="https://a.test/help"><img alt="Icon"> Help</a>`;

  test.each(['Confirm your address', ' confirm\u00a0YOUR  address ', 'CONFIRM YOUR ADDRESS'])(
    'finds by text: %j',
    (text) => {
      expect(said({ html }).link(text)).toBe('https://a.test/confirm?x=1');
    },
  );

  test('finds a text with an image by either', () => {
    const { link } = said({ html });
    expect(link('Help')).toBe('https://a.test/help');
    expect(link('Icon Help')).toBe('https://a.test/help');
    expect(link('Cafe\u0301')).toBe('https://a.test/help');
  });

  test('finds by a pattern for the URL, whatever its flags, and by a function', () => {
    const { link } = said({ html });
    const pattern = /CONFIRM/giy;
    pattern.lastIndex = 3;
    expect(link(/\?x=/)).toBe('https://a.test/confirm?x=1');
    expect(link(pattern)).toBe('https://a.test/confirm?x=1');
    expect(pattern.lastIndex).toBe(3);
    expect(link(({ text }) => text.startsWith('Confirm'))).toBe('https://a.test/confirm?x=1');
  });

  test('several links of one URL are one', () => {
    expect(said({ html }).link(/help/)).toBe('https://a.test/help');
  });

  test('lists the links that are there if none is meant, and those that lead nowhere', () => {
    expect(() => said({ html: `${html}<a href="undefined/confirm">Here</a>` }).link('Confirm')).toThrow(
      `It has no link with the text "Confirm". It has these:
  "Confirm your Address" https://a.test/confirm?x=1
  "Café" https://a.test/help
  "Icon Help" https://a.test/help
These lead nowhere, as an email has no address of its own:
  "Here" "undefined/confirm"`,
    );
    expect(() => said({ html: '<p>Hello</p>' }).link(/x/)).toThrow(
      'It has no link whose URL matches /x/. It has no link',
    );
  });

  test('lists those that are meant if there are several', () => {
    expect(() => said({ html }).link(/a\.test/)).toThrow(
      'It has 2 URLs of links whose URL matches /a\\.test/; name one by a pattern or a function:\n  "Confirm your Address" https://a.test/confirm?x=1',
    );
  });

  test('names few of many', () => {
    const many = Array.from(
      { length: 100 },
      (__, index) => `<a href="https://a.test/${index}">${'x'.repeat(300)}</a>`,
    );
    expect(() => said({ html: many.join('') }).link('y')).toThrow(/… and 90 more$/);
  });
});
