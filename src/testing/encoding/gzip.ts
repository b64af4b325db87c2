import { gzipSync } from 'fflate';

/** A gzip file of bytes. Not from `CompressionStream`, which is asynchronous: a handler responds at once. */
export const gzip = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => gzipSync(bytes, { mtime: 0 });
