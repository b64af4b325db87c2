import { createHash } from 'node:crypto';

/** The namespace of the UUIDs of templates that were not pushed. */
const NAMESPACE = '7c1f0d0e-5b0b-4c56-9d2f-2f0a7f3c9a11';

/** The UUID of a template that was not pushed: a version 5 UUID (RFC 9562) of the folder's name. */
export function derivedUuid(folder: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(folder.normalize('NFC'))
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-');
}
