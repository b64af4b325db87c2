/** The exact text that a mask shows in place of an address, a token and an encoded block. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressFinder } from '../../../../src/testing/report/mask/addresses.ts';
import { Hiding, inAll } from '../../../../src/testing/report/mask/hide.ts';
import { leftOut, MASKED } from '../../../../src/testing/report/mask/left-out.ts';
import { tokenRemover } from '../../../../src/testing/report/mask/tokens.ts';

const ADDRESS = 'ann@example.org';
const LONG = 'victoria.pumblechook@example.org';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const groups = (text: string, length: number, sign: string) =>
  (text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(sign);
const maskOf = (persons: readonly string[]) => new Hiding(addressFinder(persons), tokenRemover());
const show = (text: string, persons: readonly string[] = [ADDRESS, LONG]) => maskOf(persons).text(text);

describe('Of an address, the local part is replaced, and nothing around it', () => {
  test.each([
    ['x ann@example.org y', 'x a***@example.org y'],
    ['x ann%40example.org y', 'x a***%40example.org y'],
    ['x &#97;nn&#64;example.org &amp; y', 'x a***&#64;example.org &amp; y'],
    ['&amp;ann@example.org', '&amp;a***@example.org'],
    ['%61%6e%6E%40example.org%20y', 'a***%40example.org%20y'],
    ['an=6E=40example.org=20y', 'a***=40example.org=20y'],
    ['an=\r\nn@example.org', 'a***@example.org'],
    ['https://a.example/?to=ed@example.org', 'https://a.example/?to=e***@example.org'],
    ['ANN@EXAMPLE.ORG', 'a***@EXAMPLE.ORG'],
    ['xann@example.organic', 'xa***@example.organic'],
    ['ann%40example.org, ann@example.org', 'a***%40example.org, a***@example.org'],
    ['x an<b>n</b>@exa<wbr>mple.org y', 'x a***<b></b>@exa<wbr>mple.org y'],
    ['<p title="a" class=b>an</p>n@example.org', '<p title="a" class=b>a***</p>@example.org'],
    ['ann<!-- it is <b>here</b> -->@example.org', 'a***<!-- it is <b>here</b> -->@example.org'],
    ['<!-- a<wbr>nn@example.org -->', '<!-- a***<wbr>@example.org -->'],
    ['ann<i hidden>no one</i>@example.org', 'a***<i hidden>no one</i>@example.org'],
    ['an\u00adn\u200b@\u200bexample\u2060.org.', 'a***\u200b@\u200bexample\u2060.org.'],
    ['an\0n@ex\0ample.org', 'a***@ex\0ample.org'],
    ['ann @ example.org, ann\t@example.org', 'a*** @ example.org, a***\t@example.org'],
    ['ann-40example.org ann%u0040example.org', 'a***-40example.org a***%u0040example.org'],
    ['ann-40example-2Eorg ann_40example_2eorg', 'a***-40example-2Eorg a***_40example_2eorg'],
    ['"ann"@example.org', '"a***"@example.org'],
    ['<p style="ann\\40 example.org">', '<p style="a***\\40 example.org">'],
    ['ann\\u0040example.org ann\\x40example.org', 'a***\\u0040example.org a***\\x40example.org'],
    ['\\nann@example.org', '\\na***@example.org'],
    ['ann [at] example.org', 'a*** [at] example.org'],
    ['ann[at]example.org ann+AEA-example.org', 'a***[at]example.org a***+AEA-example.org'],
    ['ａｎｎ＠ｅｘａｍｐｌｅ．ｏｒｇ 𝐚𝐧𝐧@example.org', 'a***＠ｅｘａｍｐｌｅ．ｏｒｇ a***@example.org'],
    [
      'ann&commat;example&period;org ann&#x40;example.org',
      'a***&commat;example&period;org a***&#x40;example.org',
    ],
  ])('%j', (text, shown) => {
    expect(show(text, [ADDRESS, 'ed@example.org'])).toBe(shown);
  });

  test('with the sign of an address within another one', () => {
    for (const sign of '=_#%+~')
      expect(show(`b+ann${sign}example.org@b.example`)).toBe(`b+a***${sign}example.org@b.example`);
    for (const sign of ['', '.', '-', ' ', '/'])
      expect(show(`ann${sign}example.org`)).toBe(`ann${sign}example.org`);
    expect(show('ann=b ann@b', ['ann@b'])).toBe('ann=b a***@b');
  });

  test.each(['ben@example.org', 'an@example.org', 'ann@example.net', 'example.org', 'a nn@example.org'])(
    'and another text stays: %s',
    (text) => {
      expect(show(text)).toBe(text);
    },
  );

  test('with letters beyond ASCII, however they are composed, and with the domain in ASCII', () => {
    const persons = ['ann@straße.example', 'josé@bücher.example', 'þor@example.org', 'ﬁona@example.org'];
    const shown = (text: string) => show(text, persons);
    expect(shown('ann@straße.example ann@xn--strae-oqa.example')).toBe(
      'a***@straße.example a***@xn--strae-oqa.example',
    );
    expect(shown('JOSÉ@BÜCHER.EXAMPLE josé@xn--bcher-kva.example')).toBe(
      'j***@BÜCHER.EXAMPLE j***@xn--bcher-kva.example',
    );
    expect(shown('jose\u0301@bu\u0308cher.example &thorn;or@example.org')).toBe(
      'j***@bu\u0308cher.example ***@example.org',
    );
    expect(shown('fiona@example.org ﬁona@example.org')).toBe('***2@example.org ***2@example.org');
    // The only letter that is longer in lower case.
    expect(shown('\u0130\u0130 ann@straße.example')).toBe('\u0130\u0130 a***@straße.example');
  });

  test('and two persons stay two', () => {
    const persons = [
      'ann@example.org',
      'amy@example.org',
      'ben@example.org',
      'joann@example.org',
      '7@example.org',
    ];
    for (const given of [persons, persons.toReversed()])
      expect(show(given.join(' '), given).split(' ').toSorted()).toEqual([
        '7***@example.org',
        'a***2@example.org',
        'a***@example.org',
        'b***@example.org',
        'j***@example.org',
      ]);
  });

  test('in base64 that is too short for a token, also beside the address', () => {
    const persons = ['bo@a.test', 'ann@b.io', 'cy@b.io'];
    const shown = (text: string) => show(text, persons);
    expect(base64('bo@a.test')).toHaveLength(12);
    expect(shown(`x ${base64('bo@a.test')} y`)).toBe('x b*** y');
    expect(shown(base64('BO@A.TEST'))).toBe('b***');
    expect(shown(`ann@b.io ${base64('ann@b.io')}, ${base64('cy@b.io')}`)).toBe('a***@b.io a***=, c***==');
    expect(shown(base64('bo@a.tesu'))).toBe(base64('bo@a.tesu'));
  });

  test('with a short domain, once for a person who is there twice, and never without a name or a domain', () => {
    expect(show('x+ann=b.io@c.example', ['ann@b.io'])).toBe('x+a***=b.io@c.example');
    expect(show('ann@example.org', [ADDRESS, ADDRESS.toUpperCase()])).toBe('a***@example.org');
    for (const text of ['x @example.org y', 'x ann@ y', 'x none y'])
      expect(show(text, [text.slice(2, -2), 'none'])).toBe(text);
  });

  test('with a quoted local part', () => {
    expect(show('Ben <"ben b"@example.org>', ['"ben b"@example.org'])).toBe('Ben <***"@example.org>');
  });

  test('with what looks like an escape', () => {
    expect(show('ann%dept@example.com ann%25dept@example.com', ['ann%dept@example.com'])).toBe(
      'a***@example.com a***@example.com',
    );
    expect(show('ann%41@example.com annA@example.com', ['ann%41@example.com'])).toBe(
      'a***@example.com a***@example.com',
    );
  });
});

describe('A link', () => {
  const token = 'dmljdG9yaWEucHVtYmxlY2hvb2tAZXhhbXBsZS5vcmc=';
  test.each([
    [`https://a.example/u?t=${token}&x=1#Top`, 'https://a.example/u?t=‹token, 44 characters›&x=1#Top'],
    [`https://a.example/orders/1042/${token}/x.`, 'https://a.example/orders/1042/‹token, 44 characters›/x.'],
    ['https://a.example/r/x7Kd9).', 'https://a.example/r/‹token, 5 characters›).'],
    ['https://a.example/u?t=x7Kd9==&x=1', 'https://a.example/u?t=‹token, 7 characters›&x=1'],
    [`(https://a.example/#${token})`, '(https://a.example/#‹token, 44 characters›)'],
    ['https://a.example/r/x7Kd9', 'https://a.example/r/‹token, 5 characters›'],
    ['<a href="/r/x7Kd9">', '<a href="/r/‹token, 5 characters›">'],
    ['<a href=x7Kd9?y>', '<a href=‹token, 5 characters›?y>'],
    ['//a.example/x7Kd9', '//a.example/‹token, 5 characters›'],
    ['mailto:help@a.example?subject=x7Kd9', 'mailto:help@a.example?subject=‹token, 5 characters›'],
    [`https://${hex('ann@b.example')}.a.example/`, 'https://‹token, 26 characters›.a.example/'],
    ['https://a.example/?u=%2561nn', 'https://a.example/?u=‹token, 7 characters›'],
    ['https://a.example/?u=&#120;&#55;&#75;', 'https://a.example/?u=‹token, 16 characters›'],
    ['https://a.example/?u=&amp;#97;nn', 'https://a.example/‹token, 14 characters›'],
  ])('%s: a token is left out', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  test.each([
    'https://shop.example.com/orders/1042?utm_source=mail&utm_medium=a%20b&amp;id=12&size=600x400',
    'https://shop.example.com/2026-11-28/how-to-reset-your-password.html#what_next',
    'https://shop.example.com/img/logo@2x.png?at=2026-11-28T17:28:50.123Z',
    'https://shop.example.com/go?next=https%3A%2F%2Fshop.example.com%2Forders%2F12',
    'https://shop.example.com/unsubscribeFromNewsletter/en-US/v2/stra%C3%9Fe',
    'mailto:help@shop.example.com?subject=Re:%20my%20order',
    'https://shop.example.com/data:orders/1042',
    'tel:+4930123456',
  ])('%s: words, numbers and dates stay', (text) => {
    for (const one of [text, `<a href="${text}">${text}</a>`, `See ${text}.`]) expect(show(one)).toBe(one);
  });
});

describe('A text', () => {
  test.each([
    ['16 characters', 'x a5f3c9e1b2d4f6a8 y', 'x ‹token, 16 characters› y'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.x-Y_z1', '‹token, 43 characters›'],
    ['a UUID', '550e8400-e29b-41d4-a716-446655440000', '‹token, 36 characters›'],
    [
      'among words',
      'confirmation:(eyJhbGciOiJIUzI1NiJ9),whatever_else',
      'confirmation:(‹token, 20 characters›),whatever_else',
    ],
    ['percent twice', 'ann%2540example.org', '‹token, 20 characters›'],
    ['an entity twice', 'ann&amp;#64;example.org', '‹token, 23 characters›'],
    ['an entity in percent', 'ann%26%2364%3Bexample.org', '‹token, 25 characters›'],
    ['base64', base64(LONG), '‹token, 44 characters›'],
    ['hexadecimal', `x ${hex(LONG)}`, 'x ‹token, 64 characters›'],
    ['hexadecimal with colons', groups(hex(LONG), 2, ':'), '‹token, 95 characters›'],
    ['base32', 'OZUWG5DPOJUWCLTQOVWWE3DFMNUG633L', '‹token, 32 characters›'],
    ['uuencoded', "M=FEC=&]R:6$N<'5M8FQE8VAO;VM`97AA;7!L92YO<F<`", '‹token, 45 characters›'],
    [
      'in an attribute',
      `<p data-x="${base64(LONG)}" class="a">`,
      '<p data-x="‹token, 44 characters›" class="a">',
    ],
    ['base64 in groups', groups(base64(LONG), 10, ' '), '‹base64, 48 characters›'],
    ['base64 in small groups', groups(base64(LONG), 4, ' '), '‹base64, 54 characters›'],
    ['base64 in lines', groups(base64(LONG), 20, '\r\n'), '‹base64, 48 characters›'],
    ['a dump of bytes', `x: ${groups(hex(LONG), 2, ' ')}`, 'x: ‹hexadecimal, 95 characters›'],
    ['a dump of words', groups(hex(LONG), 4, ' '), '‹hexadecimal, 79 characters›'],
    ['a short dump of words', groups(hex('ann@example.org!'), 4, ' '), '‹hexadecimal, 39 characters›'],
    ['a dump of long words', groups(hex(LONG), 16, ' '), '‹hexadecimal, 67 characters›'],
    ['groups, half of them mixed', 'aB3d qwfz XKCD k7Mn', '‹base64, 19 characters›'],
  ])('%s is left out', (_name, text, shown) => {
    expect(show(text)).toBe(shown);
    expect(show(text).replace(MASKED, '')).not.toMatch(/[‹›*]/);
    expect(leftOut('application/pdf', 900, 'bytes').replace(MASKED, '')).toBe('');
  });

  test.each([
    'Your code is 480113, K7M2-9QXP or AbC123xyz.',
    'k7m2 9qxp 4trb 8wzn\nQ2WE-4RT5\nZ8UI-1OP3',
    'a1b2 c3d4 e5f6 a7b8 c9d0 e1f2 a3b4',
    'wxyz a1b2 c3d4 e5f6 a7b8 c9d0 e1f2 a3b4',
    'a1b2 c3d4 e5f6 a7b8 c9d0 e1f2 a3b4 wxyz',
    '1204 2204 3204 4204 5204 6204 7204 8204 9204',
    'deaf beef face cafe fade babe dead feed',
    'aB3d QWFZ XKCD PLMN',
    'BCDF GHJK LMNP QRST',
    'Bcdf ghjk lmnp qrst',
    'Call +1 (555) 010-9999, order 1Z999AA1012345, IBAN DE89 3704 0044 0532 0130 00.',
    '-------------------------------- ================================',
    'Paid 1,234,567.89 EUR on 2026-11-28T17:28:50Z at 10:20:30:40:50:60:70:80',
    'Donaudampfschifffahrtsgesellschaftskapitän Rechtsschutzversicherungsgesellschaften',
    'Konstantynopolitanczykowianeczka lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas',
    'megszentsegtelenithetetlensegeskedeseitekert anticonstitutionnellement hottentottententententoonstelling',
    'otorrinolaringologista Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch uncharacteristically',
    'order-confirmation_2026.pdf, unsubscribeFromNewsletter, application/x-www-form-urlencoded',
    '.mj-column-per-50{width:50%} ant-204.sandbox.oxbow.example workflow-background-feedback',
    'お客様のご注文を承りましたのでお知らせいたします Ваш заказ подтверждён',
    '<table style="color:#fff3e0;margin:0 auto;background-color:#f5f5f5!important">',
    '@media(max-width:600px){.b{width:100%}}.esd-structure{mso-table-lspace:0pt}',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
  ])('%s stays', (text) => {
    expect(show(text)).toBe(text);
  });

  test('random tokens are left out, whatever their alphabet', () => {
    const alphabets = [
      '0123456789abcdef',
      'abcdefghijklmnopqrstuvwxyz0123456789',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
    ];
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    alphabets.push(`${letters}${letters.toUpperCase()}0123456789-_`, `${letters}${letters.toUpperCase()}`);
    for (const alphabet of alphabets) {
      const token = fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength: 28, maxLength: 80 });
      const all = fc
        .sample(token, { numRuns: 200, seed: 92 })
        .filter((one) => /[a-z]/i.test(one) && /^\w/.test(one));
      const missed = all.filter((one) => !show(`x ${one} y`).includes('‹'));
      expect([alphabet, missed.length <= 1, missed]).toEqual([alphabet, true, missed]);
      expect(all.filter((one) => show(`https://a.example/${one}`).includes(one)).length).toBeLessThanOrEqual(
        1,
      );
    }
  });

  test('a picture in a data address stays, without its metadata, and other data goes', () => {
    const png = base64Of('\x89PNG\r\n\x1a\n');
    expect(show(`<img src="data:image/png;base64,${png}">`)).toBe(`<img src="data:image/png;base64,${png}">`);
    expect(show('<img src="data:image/png;base64,QUJDREVGRw==">')).toBe(
      '<img src="data:image/png;base64,‹image/png, 12 characters›">',
    );
    expect(show(`url(data:text/plain,${'a%20b'.repeat(9)})`)).toBe(
      'url(data:text/plain,‹text/plain, 45 characters›)',
    );
  });
});

const base64Of = (binary: string) => Buffer.from(binary, 'latin1').toString('base64');

test('a text takes time in proportion to its length, whatever is in it', () => {
  for (const part of [
    '<',
    '<!--',
    '&',
    '&amp;',
    '%',
    '=',
    '=?a?q?',
    '\\',
    'a@',
    '//',
    '/a',
    'ab ',
    'a1B ',
    'data:a/b,',
    '((',
    'mailto:',
    '...',
    '<b>x',
    '\u0301',
    'ﬁ',
  ]) {
    const before = process.cpuUsage().user;
    show(part.repeat(60_000));
    // A quadratic time would be minutes.
    expect([part, (process.cpuUsage().user - before) / 1e6 < 10]).toEqual([part, true]);
  }
});

test('JSON keeps its form, and each text and name in it is read by itself', () => {
  const body = (text: string) => maskOf([ADDRESS]).body(text);
  expect(body(`{"a":"ann\\u0040example.org", "${ADDRESS}" : [1,"x\\n", "caf\\u00e9"]}`)).toBe(
    '{"a":"a***@example.org", "a***@example.org" : [1,"x\\n", "caf\\u00e9"]}',
  );
  expect(body(`{"content":"${base64(LONG.repeat(3))}"}`)).toBe('{"content":"‹base64, 128 characters›"}');
  expect(body(`[broken "ann\\u0040example.org"`)).toBe('[broken "a***\\u0040example.org"');
});

test('all texts and names of a value are changed, and nothing else', () => {
  const change = (text: string) => text.toUpperCase();
  expect(inAll({ a: 'x', b: ['y', 5, null, { c: true }], e: undefined }, change)).toEqual({
    A: 'X',
    B: ['Y', 5, null, { C: true }],
    E: undefined,
  });
});

test('a text that comes again is read once, as long as memory is bounded', () => {
  const texts: string[] = [];
  const hiding = new Hiding((text) => (texts.push(text), []));
  for (let round = 0; round < 2; round += 1)
    for (let index = 0; index < 20_001; index += 1) hiding.text(`no ${index}`);
  expect(texts).toHaveLength(20_002);
});
