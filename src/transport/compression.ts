import type { CallConfig } from './config.ts';
import type { ResponseHead } from './stage.ts';

/**
 * How a body that was asked for uncompressed is compressed all the same, where `fetch` takes the half of such a body for
 * the whole; undefined where its end can be relied on.
 */
export function compressionOf({ missesCuts }: CallConfig, { headers }: ResponseHead): string | undefined {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  return missesCuts && !['', 'identity'].includes(encoding) ? encoding : undefined;
}
