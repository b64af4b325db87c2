/** Pictures without metadata: PNG, JPEG, GIF and WebP, by their first bytes. */

const textAt = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));
const numberAt = (bytes: Uint8Array, at: number, length: number) =>
  bytes.subarray(at, at + length).reduce((sum, byte) => 256 * sum + byte, 0);

/** The end of the part of a picture at a position, and whether it is drawn; no part behind one that is the last. */
type PartAt = (bytes: Uint8Array, at: number) => readonly [end: number, isDrawn: boolean, isLast?: boolean];

const PNG_PART = /^(?:IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|sBIT|bKGD|pHYs|acTL|fcTL|fdAT)$/;
const pngPartAt: PartAt = (bytes, at) => {
  const name = textAt(bytes, at + 4, 4);
  return [at + 12 + numberAt(bytes, at, 4), PNG_PART.test(name), name === 'IEND'];
};

const jpegPartAt: PartAt = (bytes, at) => {
  const marker = bytes[at + 1] ?? 0;
  if (marker === 0xd9) return [at + 2, true, true];
  let end = at + 2 + numberAt(bytes, at + 2, 2);
  // A scan follows its header, up to the next marker that does not belong to it.
  const isInScan = () => bytes[end] !== 0xff || /[\0\xd0-\xd7]/.test(textAt(bytes, end + 1, 1));
  if (marker === 0xda) while (end < bytes.length && isInScan()) end += 1;
  // Of the segments of applications, one has the size, and one the colours.
  return [end, marker < 0xe0 || /^(?:JFIF\0|Adobe)$/.test(textAt(bytes, at + 4, 5))];
};

const gifTable = (flags = 0) => (flags < 0x80 ? 0 : 3 * 2 ** ((flags & 7) + 1));
const gifPartAt: PartAt = (bytes, at) => {
  const isImage = bytes[at] === 0x2c;
  if (bytes[at] !== 0x21 && !isImage) return [at + 1, true, true];
  let end = isImage ? at + 11 + gifTable(bytes[at + 9]) : at + 2;
  while (end < bytes.length && bytes[end] !== 0) end += 1 + (bytes[end] ?? 0);
  return [end + 1, isImage || bytes[at + 1] === 0xf9 || textAt(bytes, at + 3, 11) === 'NETSCAPE2.0'];
};

const webpPartAt: PartAt = (bytes, at) => {
  const size = numberAt(bytes.slice(at + 4, at + 8).reverse(), 0, 4);
  return [at + 8 + size + (size % 2), /^(?:VP8[ LX]|ANIM|ANMF|ALPH)$/.test(textAt(bytes, at, 4))];
};

/** The length of a picture's header, and what finds its parts; `undefined` for other bytes. */
function formatOf(bytes: Uint8Array): readonly [header: number, partAt: PartAt] | undefined {
  const start = textAt(bytes, 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return [8, pngPartAt];
  if (start.startsWith('\xff\xd8\xff')) return [2, jpegPartAt];
  if (start.startsWith('GIF8')) return [13 + gifTable(bytes[10]), gifPartAt];
  return /^RIFF[^]{4}WEBP$/.test(start) ? [12, webpPartAt] : undefined;
}

/** A picture without texts, times, places and whatever else is not drawn; `undefined` for other bytes. */
export function pictureOf(bytes: Uint8Array): Uint8Array | undefined {
  const [header = 0, partAt] = formatOf(bytes) ?? [];
  if (partAt === undefined) return undefined;
  const kept = [...bytes.subarray(0, header)];
  for (let at = header; at < bytes.length;) {
    const [end, isDrawn, isLast = false] = partAt(bytes, at);
    if (isDrawn) for (const byte of bytes.subarray(at, end)) kept.push(byte);
    at = isLast ? bytes.length : end;
  }
  const picture = Uint8Array.from(kept);
  if (partAt === webpPartAt) {
    new DataView(picture.buffer).setUint32(4, picture.length - 8, true);
    // An extended header says which of the others are there: no colour profile, EXIF or XMP.
    if (textAt(picture, 12, 4) === 'VP8X') picture[20] = (picture[20] ?? 0) & 0b1101_0011;
  }
  return picture;
}
