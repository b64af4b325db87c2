import { isRecord } from '../../core/record.ts';

/** The name of the header with the reply addresses, as the caller wrote it; undefined if there is none. */
export const replyToHeader = (headers: unknown): string | undefined =>
  isRecord(headers) ? Object.keys(headers).find((name) => /^reply-to$/i.test(name)) : undefined;
