/** Computes the CRC-32 of bytes, as in gzip files (RFC 1952). */
export function crc32(bytes: Uint8Array): number {
  const table = Uint32Array.from({ length: 256 }, (_, index) => {
    let crc = index;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
    return crc;
  });
  let crc = ~0;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

const MAX_BLOCK = 65_535;

/**
 * Makes a gzip file of bytes. It stores them without compression: only the format matters here. Own code, because a handler
 * responds synchronously, and `CompressionStream` is asynchronous.
 */
export function gzip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(10 + bytes.length + 5 * Math.max(1, Math.ceil(bytes.length / MAX_BLOCK)) + 8);
  let end = 0;
  const put = (part: ArrayLike<number>) => {
    file.set(part, end);
    end += part.length;
  };
  // Method deflate, no flags, no time, unknown system.
  put([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  let from = 0;
  do {
    const block = bytes.subarray(from, from + MAX_BLOCK);
    from += block.length;
    const isLast = from === bytes.length ? 1 : 0;
    put([isLast, ...little(block.length, 2), ...little(~block.length, 2)]);
    put(block);
  } while (from < bytes.length);
  put(little(crc32(bytes), 4));
  put(little(bytes.length, 4));
  return file;
}

/** A number as bytes, little-endian. */
function little(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (value >>> (8 * index)) & 0xff);
}
