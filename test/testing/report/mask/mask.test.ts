/** The exact text that is shown in place of an address, and of a packed text that has one in it. */
import { describe, expect, test } from 'vitest';
import { Hiding, inAll } from '../../../../src/testing/report/mask/hide.ts';
import { Mask } from '../../../../src/testing/report/mask/mask.ts';

const ADDRESS = 'ann@example.org';
const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const times = (count: number, text: string) =>
  Array.from({ length: count }).reduce<string>((packed) => base64(packed), text);

const show = (persons: readonly string[], text: string) => new Mask(persons).text(text);

describe('Of an address, the local part is hidden, and nothing around it', () => {
  test.each([
    ['x ann@example.org y', 'x a***@example.org y'],
    ['x ann%40example.org y', 'x a***%40example.org y'],
    ['x &#97;nn&#64;example.org &amp; y', 'x a***&#64;example.org &amp; y'],
    ['&amp;ann@example.org', '&amp;a***@example.org'],
    ['%61%6e%6E%40example.org%20y', 'a***%40example.org%20y'],
    ['an=6E=40example.org=20y', 'a***=40example.org=20y'],
    ['ANN@EXAMPLE.ORG', 'a***@EXAMPLE.ORG'],
    ['xann@example.organic', 'xa***@example.organic'],
    ['ann@example.org,ann@example.org', 'a***@example.org,a***@example.org'],
    // Found in another reading, and before what the first one finds.
    ['ann%40example.org, ann@example.org', 'a***%40example.org, a***@example.org'],
    [
      'ann&#64;example.org ann=40example.org ann%40example.org',
      'a***&#64;example.org a***=40example.org a***%40example.org',
    ],
    ['ann@example.org%2Cann%40example.org', 'a***@example.org%2Ca***%40example.org'],
  ])('%s', (text, shown) => {
    expect(show([ADDRESS], text)).toBe(shown);
  });

  test.each([
    ['x an<b>n</b>@exa<wbr>mple.org y', 'x a***@exa<wbr>mple.org y'],
    ['x <b>ann</b>@<i>example.org y', 'x <b>a***@<i>example.org y'],
    ['an\u00adn\u200b@\u200bexample\u2060.org.', 'a***@\u200bexample\u2060.org.'],
    ['an\0n@ex\0ample.org', 'a***@ex\0ample.org'],
    [`a<b ${'x'.repeat(999)}>nn@example.org`, 'a***@example.org'],
    [`ann@<b ${'x'.repeat(999)}>example.org`, `a***@<b ${'x'.repeat(999)}>example.org`],
    [`a<b ${'x'.repeat(1000)}>nn@example.org`, `a<b ${'x'.repeat(1000)}>nn@example.org`],
  ])('where tags or invisible characters stand in it: %j', (text, shown) => {
    expect(show([ADDRESS], text)).toBe(shown);
  });

  test.each([
    'a nn@example.org',
    'a>nn@example.org',
    'a<>nn@example.org',
    'ann@exa mple.org',
    'ann@<>example.org',
  ])('but not where anything else does: %s', (text) => {
    expect(show([ADDRESS], text)).toBe(text);
  });

  test('with another sign than @, as within the address of a bounce', () => {
    for (const sign of '=_#%+~')
      expect(show([ADDRESS], `b+ann${sign}example.org@b.example`)).toBe(`b+a***${sign}example.org@b.example`);
    for (const sign of ['', '.', '-', ' '])
      expect(show([ADDRESS], `ann${sign}example.org`)).toBe(`ann${sign}example.org`);
  });

  test('a short domain only with an @', () => {
    expect(show(['ann@b'], 'ann=b ann@b')).toBe('ann=b a***@b');
    expect(show(['ann@b.c'], 'ann=b.c')).toBe('ann=b.c');
    expect(show(['ann@b.cc'], 'ann=b.cc')).toBe('a***=b.cc');
  });

  test.each(['ann@example.or', 'an@example.org', '@example.org', 'ann@', 'example.org', 'ben@example.org'])(
    'and another text stays: %s',
    (text) => {
      expect(show([ADDRESS], text)).toBe(text);
    },
  );
});

describe('Persons', () => {
  test('the longest address at a place is the one that is hidden', () => {
    const persons = ['ann@example.org', 'joann@example.org', 'joann@example.org.uk', 'ann@org'];
    for (const given of [persons, persons.toReversed()])
      expect(show(given, 'joann@example.org ann@example.org ann@org joann@example.org.uk')).toMatch(
        /^j\*{3}@example\.org a\*{3}@example\.org a\*{3}@org j\*{3}@example\.org\.uk$/,
      );
  });

  test('of which one is the end of another, or of another text, are told apart', () => {
    const persons = ['ann@example.org', 'benjamin@example.org', 'ben@example.org.uk'];
    expect(show(persons, 'mann@example.org main@example.org ann@example.org.uk')).toBe(
      'ma***@example.org main@example.org a***@example.org.uk',
    );
    expect(show(['ann@', ADDRESS], 'ann@extra ann@example.org')).toBe('ann@extra a***@example.org');
    expect(show(['anna@example.com', 'ann%61@example.com'], 'anna@example.com')).toBe('a***@example.com');
  });

  test('of one domain stay different, and keep their first letter if it is one', () => {
    const persons = [
      'ann@example.org',
      'amy@example.org',
      'ben@example.org',
      'ann@example.net',
      '7@example.org',
      '.x@example.org',
    ];
    expect(show(persons, persons.join(' '))).toBe(
      'a***@example.org a***2@example.org b***@example.org a***@example.net 7***@example.org ***@example.org',
    );
  });

  test('without a local part or a domain are not masked', () => {
    for (const persons of [[], ['@x'], ['ann@'], ['ann']])
      expect(show(persons, `@x ann@ ann ${ADDRESS} ${base64(ADDRESS)}`)).toBe(
        `@x ann@ ann ${ADDRESS} ${base64(ADDRESS)}`,
      );
    expect(show(['a@b'], 'a@b')).toBe('a***@b');
  });

  test('with letters beyond ASCII, however these are composed, and with the domain in ASCII', () => {
    const persons = ['ann@straße.example', 'josé@bücher.example'];
    expect(show(persons, 'ann@straße.example ann@xn--strae-oqa.example')).toBe(
      'a***@straße.example a***@xn--strae-oqa.example',
    );
    expect(show(persons, 'JOSÉ@BÜCHER.EXAMPLE josé@xn--bcher-kva.example')).toBe(
      'j***@BÜCHER.EXAMPLE j***@xn--bcher-kva.example',
    );
    expect(show(['jo/é@bücher.example'], 'jo/é@xn--bcher-kva.example')).toBe('j***@xn--bcher-kva.example');
    expect(show(persons, 'jose\u0301@bu\u0308cher.example')).toBe('j***@bu\u0308cher.example');
    expect(show(['jose\u0301@example.org'], 'josé@example.org')).toBe('j***@example.org');
    expect(show(['ﬁona@example.org'], 'fiona@example.org')).toBe('***@example.org');
    // The only letter that is longer in lower case.
    expect(show(persons, '\u0130\u0130 ann@straße.example')).toBe('\u0130\u0130 a***@straße.example');
  });

  test('with what looks like an escape, or with an invisible character', () => {
    expect(show(['ann%dept@example.com'], 'ann%dept@example.com ann%25dept@example.com')).toBe(
      'a***@example.com a***@example.com',
    );
    expect(show(['ann%41@example.com'], 'ann%41@example.com annA@example.com')).toBe(
      'a***@example.com a***@example.com',
    );
    expect(show(['an\u00adn@example.org'], 'ann@example.org an\u00adn@example.org')).toBe(
      'a***@example.org a***@example.org',
    );
  });
});

describe('A packed text with an address in it is hidden whole', () => {
  const json = `{"to":"${ADDRESS}","x":"???>>>"}`;
  test.each([
    [base64(ADDRESS)],
    [base64(`{"to":"${ADDRESS}"}`)],
    [Buffer.from(json).toString('base64url')],
    [base64(`Hello ${ADDRESS}!`)],
    [`${base64(`Hello. Hello. ${ADDRESS}`).slice(0, 24)}\r\n${base64(`Hello. Hello. ${ADDRESS}`).slice(24)}`],
    [base64(ADDRESS, 'utf16le')],
    [Buffer.from(ADDRESS, 'utf16le').swap16().toString('base64')],
    [hex(ADDRESS)],
    [hex(ADDRESS).toUpperCase()],
    [`0${hex(ADDRESS)}`],
    [`${hex(ADDRESS)}0`],
    [hex(base64(ADDRESS))],
    [base64(hex(ADDRESS))],
    [hex('Hello. '.repeat(300) + ADDRESS)],
    [base64('\x80\x02'.repeat(600) + ADDRESS + ', as said')],
    [times(2, ADDRESS)],
    [times(4, ADDRESS)],
    [times(4, 'ann%40example.org')],
    [`=?utf-8?q?ann=40example.org?=`],
    [`=?utf-8?b?${base64('ann@exam')}?=\r\n =?utf-8?b?${base64('ple.org x')}?=`],
  ])('%s', (packed) => {
    expect(show([ADDRESS], packed)).toBe('***');
    expect(show([ADDRESS], `(${packed}) and (${packed}).`)).toBe('(***) and (***).');
  });

  test.each(['josé@example.org', 'żona@example.org', 'x@y'])('also of %s', (address) => {
    for (const packed of [base64(address), hex(address), base64(`Dear ${address}, hello`)])
      expect([packed, show([address], `(${packed})`)]).toEqual([
        packed,
        packed.length < 8 ? `(${packed})` : '(***)',
      ]);
    if (address.length > 3)
      for (const bytes of [Buffer.from(address, 'utf16le'), Buffer.from(address, 'utf16le').swap16()])
        for (const form of ['base64', 'base64url', 'hex'] as const)
          expect([form, show([address], `(${bytes.toString(form)})`).replace(/=+/, '')]).toEqual([
            form,
            '(***)',
          ]);
    if (/[é]/.test(address)) expect(show([address], `(${base64(address, 'latin1')})`)).toBe('(***)');
  });

  test('in the alphabet of base64 for URLs', () => {
    for (const [address, sign] of [
      ['ben???@example.org', '_'],
      ['ben>>>@example.org', '-'],
    ] as const) {
      const packed = Buffer.from(address).toString('base64url');
      expect(packed).toContain(sign);
      expect(show([address], `(${packed})`)).toBe('(***)');
    }
  });

  test('as a whole if it is as long as a file, whatever is between its slashes', () => {
    const file = base64(`${'???'.repeat(300)} Dear ${ADDRESS}, ${'???'.repeat(30)}`);
    expect(file.split('/').length).toBeGreaterThan(300);
    expect(show([ADDRESS], `(${file})`)).toBe('(***)');
  });

  test('and not another one beside it', () => {
    expect(show([ADDRESS], `${hex('nobody is here')} ${hex(ADDRESS)} ${base64('nobody is here')}`)).toBe(
      `${hex('nobody is here')} *** ${base64('nobody is here')}`,
    );
  });

  test('of a path, only its steps with an address', () => {
    const other = base64('yet another token');
    expect(show([ADDRESS], `/t/${base64(ADDRESS)}/x`)).toBe('/t/***/x');
    expect(show([ADDRESS], `/t/${base64(ADDRESS)}/${other}/${base64(ADDRESS)}?q`)).toBe(
      `/t/***/${other}/***?q`,
    );
    expect(show([ADDRESS], `/t/${base64(json)}`)).toBe(`/t/***/${base64(json).split('/')[1]}`);
    expect(show([ADDRESS], `/t/some-longer-step/${other}/x`)).toBe(`/t/some-longer-step/${other}/x`);
  });

  test('and what has an address across its steps, because base64 has a slash itself', () => {
    const across = base64('ben???@example.org');
    const persons = [ADDRESS, 'ben???@example.org'];
    expect(across.split('/')).toHaveLength(2);
    expect(show(persons, `?${across}?`)).toBe('?***?');
    expect(show(persons, `?${across}/${base64(ADDRESS)}?`)).toBe('?******?');
    expect(show(persons, `?${base64(ADDRESS)}/${across}?`)).toBe('?******?');
    expect(show(persons, `?some-longer-step/${base64(ADDRESS)}/${base64('another')}?`)).toBe(
      `?some-longer-step/***/${base64('another')}?`,
    );
  });

  test.each([
    ['another address', base64('ben@example.org')],
    ['five layers, which no program writes', times(5, ADDRESS)],
    ['a word of many letters', `Lopado${'temacho'.repeat(9)}`],
    ['a number', '0123456789'.repeat(9)],
    ['a boundary below', `${base64('nobody is here')}\r\n--boundary`],
  ])('%s stays', (_, text) => {
    expect(show([ADDRESS], text)).toBe(text);
  });

  test('and the boundary of a part below it stays', () => {
    expect(show([ADDRESS], `${base64(ADDRESS)}\r\n--boundary`)).toBe('***\r\n--boundary');
  });
});

describe('A body', () => {
  const body = (text: string) => new Mask([ADDRESS]).body(text);

  test('in JSON keeps its form, and each text in it is read by itself', () => {
    expect(body(`{"a":"ann\\u0040example.org", "${ADDRESS}" : [1,"x\\n", "caf\\u00e9"]}`)).toBe(
      '{"a":"a***@example.org", "a***@example.org" : [1,"x\\n", "caf\\u00e9"]}',
    );
    expect(body(` \n["${ADDRESS} \\"Ann\\""]`)).toBe(' \n["a***@example.org \\"Ann\\""]');
  });

  test('that is not JSON is read as a text', () => {
    expect(body(`[broken "ann\\u0040example.org"`)).toBe('[broken "a***\\u0040example.org"');
    expect(body(`Dear ${ADDRESS} {"a":"\\u0061nn"}`)).toBe('Dear a***@example.org {"a":"\\u0061nn"}');
  });
});

test('all texts of a value are changed, and nothing else', () => {
  const change = (text: string) => text.toUpperCase();
  expect(inAll({ a: 'x', b: ['y', 5, null, { c: true, d: 'z' }], e: undefined }, change)).toEqual({
    a: 'X',
    b: ['Y', 5, null, { c: true, d: 'Z' }],
    e: undefined,
  });
});

describe('Time', () => {
  /** Hides nothing, and counts the texts that it is given. */
  const counting = () => {
    const texts: string[] = [];
    const find = (text: string) => {
      texts.push(text);
      return [];
    };
    return { texts, hiding: new Hiding({ shortest: 3, find }) };
  };

  test('is spent once on a text that comes again, and on none that is too short', () => {
    const { texts, hiding } = counting();
    for (const text of ['ab', 'abc', 'ab', 'abc', '']) hiding.text(text);
    expect(texts).toEqual(['abc']);
  });

  test('is spent once on a packed text that comes again in other texts', () => {
    const { texts, hiding } = counting();
    const packed = base64('Hello there');
    hiding.text(`a ${packed}`);
    hiding.text(`b ${packed}`);
    expect(texts.filter((text) => text === 'Hello there')).toHaveLength(1);
  });

  test('but memory is bounded: of more than 20,000 texts, the others are read again', () => {
    const { texts, hiding } = counting();
    for (let round = 0; round < 2; round += 1)
      for (let index = 0; index < 20_001; index += 1) hiding.text(`no ${index}`);
    expect(texts).toHaveLength(20_002);
  });
});
