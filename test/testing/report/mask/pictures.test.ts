/** Pictures lose their metadata, and keep every byte that is drawn. */
import { describe, expect, test } from 'vitest';
import { pictureOf } from '../../../../src/testing/report/mask/pictures.ts';

const SECRET = 'made by ann@example.org';
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1');
const shown = (text: string) => textOf(pictureOf(bytesOf(text)));
const big = (value: number, count: number) =>
  Array.from({ length: count }, (_, at) =>
    String.fromCharCode((value >>> (8 * (count - 1 - at))) & 0xff),
  ).join('');
const little = (value: number) => big(value, 4).split('').toReversed().join('');

const chunk = (name: string, data: string) => `${big(data.length, 4)}${name}${data}_crc`;
const PNG = '\x89PNG\r\n\x1a\n';
const segment = (marker: number, data: string) =>
  `\xff${String.fromCharCode(marker)}${big(data.length + 2, 2)}${data}`;
const block = (data: string) => `${String.fromCharCode(data.length)}${data}\0`;
const riff = (name: string, data: string) =>
  `${name}${little(data.length)}${data}${data.length % 2 === 1 ? '\0' : ''}`;
const webp = (chunks: string) => `RIFF${little(chunks.length + 4)}WEBP${chunks}`;

describe('A picture', () => {
  test('PNG: texts, times, EXIF, and what follows its end', () => {
    const drawn = [chunk('IHDR', 'x'.repeat(13)), chunk('PLTE', 'abc'), chunk('tRNS', 'd')];
    const rest = [chunk('acTL', 'e'), chunk('IDAT', 'data'), chunk('fdAT', 'f'), chunk('IEND', '')];
    const hidden = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'iCCP', 'prVt'].map((name) =>
      chunk(name, SECRET),
    );
    expect(shown(PNG + [...drawn, ...hidden, ...rest].join('') + SECRET)).toBe(
      PNG + [...drawn, ...rest].join(''),
    );
    expect(shown(PNG)).toBe(PNG);
    expect(shown(PNG + SECRET)).toBe(PNG);
  });

  test('JPEG: segments of applications and comments, and what follows its end', () => {
    const size = segment(0xe0, 'JFIF\0\x01\x01');
    const tables = segment(0xdb, 'table') + segment(0xee, 'Adobe\0') + segment(0xc0, 'frame');
    const scan = `${segment(0xda, 'scan')}ab\xff\0cd\xff\xd0ef${segment(0xc4, 'huffman')}${segment(0xda, 'scan')}gh\xff\xd9`;
    const hidden = [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xef, 0xfe]
      .map((marker) => segment(marker, SECRET))
      .join('');
    expect(shown(`\xff\xd8${size}${hidden}${tables}${scan}${SECRET}`)).toBe(
      `\xff\xd8${size}${tables}${scan}`,
    );
    expect(shown(`\xff\xd8${segment(0xe1, SECRET)}`)).toBe('\xff\xd8');
  });

  test('GIF: comments, texts and extensions of applications but its loop, and what follows its end', () => {
    const head = `GIF89a\x01\0\x01\0\x80\0\0ABCDEF`;
    const loop = `!\xff\x0bNETSCAPE2.0${block('\x01\0\0')}`;
    const image = `,\0\0\0\0\x01\0\x01\0\x80abcdef\x02${block('LZ')}`;
    const control = `!\xf9${block('\0\0\0\0')}`;
    const hidden = `!\xfe${block(SECRET)}!\x01${block(SECRET)}!\xff\x0bXMP DataXMP${block(SECRET)}`;
    expect(shown(`${head}${loop}${hidden}${control}${image};${SECRET}`)).toBe(
      `${head}${loop}${control}${image};`,
    );
  });

  test('WebP: EXIF, XMP and the colour profile, in its header too', () => {
    const extended = (flags: number) => riff('VP8X', `${String.fromCharCode(flags)}\0\0\0${'x'.repeat(6)}`);
    const hidden = riff('EXIF', SECRET) + riff('XMP ', SECRET) + riff('ICCP', SECRET) + riff('abcd', SECRET);
    const drawn = riff('ALPH', 'a') + riff('VP8 ', 'picture');
    expect(shown(webp(extended(0x3e) + hidden + drawn))).toBe(webp(extended(0x12) + drawn));
    expect(shown(webp(riff('VP8L', 'picture')) + SECRET)).toBe(webp(riff('VP8L', 'picture')));
  });

  test('is known by its first bytes alone', () => {
    for (const text of ['', 'secret', ' GIF89a', `x${PNG}`, 'RIFF\0\0\0\0WAVE', '<svg/>', '\xff\xd8'])
      expect(pictureOf(bytesOf(text))).toBeUndefined();
  });
});
