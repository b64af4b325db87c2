const BLOCK = 64;

/**
 * HMAC-SHA-256 of a text (RFC 2104, FIPS 180-4), as 64 hexadecimal digits. Own code, because a handler responds
 * synchronously, and the Web Crypto API, which every runtime has, is asynchronous.
 */
export function hmac(secret: string, text: string): string {
  const encoder = new TextEncoder();
  const bytesOfSecret = encoder.encode(secret);
  const key = new Uint8Array(BLOCK);
  key.set(bytesOfSecret.length > BLOCK ? sha256(bytesOfSecret) : bytesOfSecret);
  const padded = (pad: number, rest: Uint8Array) => {
    const bytes = new Uint8Array(BLOCK + rest.length);
    bytes.set(key.map((byte) => byte ^ pad));
    bytes.set(rest, BLOCK);
    return sha256(bytes);
  };
  const bytes = padded(0x5c, padded(0x36, encoder.encode(text)));
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0');
  return digits;
}

function sha256(message: Uint8Array): Uint8Array {
  const length = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(length - 8, BigInt(message.length) * 8n);
  const state = Uint32Array.from(INITIAL);
  for (let at = 0; at < length; at += BLOCK) compress(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, view: DataView, at: number): void {
  const words = new Int32Array(64);
  const word = (round: number) => words[round] ?? 0;
  for (let round = 0; round < 16; round += 1) words[round] = view.getInt32(at + round * 4);
  for (let round = 16; round < 64; round += 1) {
    const [w15, w2] = [word(round - 15), word(round - 2)];
    const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
    const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
    words[round] = word(round - 16) + s0 + word(round - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  // Loops by index: an iterator would take several times as long.
  for (let round = 0; round < 64; round += 1) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[round] ?? 0) + word(round)) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];
