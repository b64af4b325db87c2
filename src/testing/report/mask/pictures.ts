/** Pictures without metadata: PNG, JPEG, GIF and WebP, by their first bytes. */

type Part = readonly [from: number, to: number];

const isFrom = (bytes: Uint8Array, at: number, text: string) =>
  text === String.fromCharCode(...bytes.subarray(at, at + text.length));
const nameAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
const big = (bytes: Uint8Array, at: number, count: number) =>
  bytes.subarray(at, at + count).reduce((sum, byte) => 256 * sum + byte, 0);
const little = (bytes: Uint8Array, at: number) => big(bytes.slice(at, at + 4).reverse(), 0, 4);

/** The parts of a picture that its pixels need; of none if the bytes are no picture. */
function* partsOf(bytes: Uint8Array): Iterable<Part> {
  if (isFrom(bytes, 0, '\x89PNG\r\n\x1a\n')) yield* partsOfPng(bytes);
  else if (isFrom(bytes, 0, '\xff\xd8\xff')) yield* partsOfJpeg(bytes);
  else if (isFrom(bytes, 0, 'GIF8')) yield* partsOfGif(bytes);
  else if (isFrom(bytes, 0, 'RIFF') && isFrom(bytes, 8, 'WEBP')) yield* partsOfWebp(bytes);
}

/** A picture without texts, times, places and whatever else is not drawn; `undefined` for other bytes. */
export function pictureOf(bytes: Uint8Array): Uint8Array | undefined {
  const kept = Array.from(partsOf(bytes), ([from, to]) => bytes.subarray(from, to));
  if (kept.length === 0) return undefined;
  const picture = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of kept) {
    picture.set(part, at);
    at += part.length;
  }
  if (isFrom(picture, 0, 'RIFF')) {
    new DataView(picture.buffer).setUint32(4, picture.length - 8, true);
    // An extended header says which of the others are there: no colour profile, EXIF or XMP.
    if (isFrom(picture, 12, 'VP8X')) picture[20] = (picture[20] ?? 0) & 0b1101_0011;
  }
  return picture;
}

const PNG_CHUNK = /^(?:IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|sBIT|bKGD|pHYs|acTL|fcTL|fdAT)$/;

function* partsOfPng(bytes: Uint8Array): Iterable<Part> {
  yield [0, 8];
  for (let at = 8; at + 8 <= bytes.length;) {
    const [name, next] = [nameAt(bytes, at + 4), at + 12 + big(bytes, at, 4)];
    if (PNG_CHUNK.test(name)) yield [at, next];
    at = name === 'IEND' ? bytes.length : next;
  }
}

function* partsOfJpeg(bytes: Uint8Array): Iterable<Part> {
  yield [0, 2];
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    let next = at + 2 + big(bytes, at + 2, 2);
    // A scan follows its header, up to the next marker that does not belong to it.
    if (marker === 0xda) while (next < bytes.length && !isMarker(bytes, next)) next += 1;
    // Of the segments of applications, one has the size, and one the colours.
    const isOfApplication = marker >= 0xe0 && marker !== 0xff;
    if (!isOfApplication || isFrom(bytes, at + 4, 'JFIF\0') || isFrom(bytes, at + 4, 'Adobe'))
      yield [at, next];
    at = next;
    if (bytes[at + 1] === 0xd9) {
      yield [at, at + 2];
      return;
    }
  }
}
const isMarker = (bytes: Uint8Array, at: number) => {
  const next = bytes[at + 1] ?? 0;
  return bytes[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7);
};

function* partsOfGif(bytes: Uint8Array): Iterable<Part> {
  const tableAt = (at: number) =>
    ((bytes[at] ?? 0) & 0x80) === 0 ? 0 : 3 * 2 ** (((bytes[at] ?? 0) & 7) + 1);
  const afterBlocks = (at: number) => {
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
    return at + 1;
  };
  let at = 13 + tableAt(10);
  yield [0, at];
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind !== 0x21 && kind !== 0x2c) {
      yield [at, at + 1];
      return;
    }
    const next = afterBlocks(kind === 0x21 ? at + 2 : at + 11 + tableAt(at + 9));
    const isKept = kind === 0x2c || bytes[at + 1] === 0xf9 || isFrom(bytes, at + 3, 'NETSCAPE2.0');
    if (isKept) yield [at, next];
    at = next;
  }
}

function* partsOfWebp(bytes: Uint8Array): Iterable<Part> {
  yield [0, 12];
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = little(bytes, at + 4);
    const next = at + 8 + size + (size % 2);
    if (/^(?:VP8[ LX]|ANIM|ANMF|ALPH)$/.test(nameAt(bytes, at))) yield [at, next];
    at = next;
  }
}
