import { tried } from '../core/tried.ts';

/** Shorter segments of a path are words, such as `raw`. */
const MIN_SEGMENT_LENGTH = 8;

/**
 * What a signed address has to be kept secret for: whoever has it can fetch the file. These are the address, its path,
 * its longer segments and the values in its query, as they are and with their escapes resolved.
 */
export function secretsIn(address: string): string[] {
  // It may be only a path, whose host does not matter here.
  const url = tried(() => new URL(address, 'https://host.invalid'), undefined);
  if (!url) return [address];
  const { pathname, search, searchParams } = url;
  const segments = pathname.split('/').filter(({ length }) => length >= MIN_SEGMENT_LENGTH);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const written = [address, url.href, pathname + search, pathname, ...segments, ...values];
  const resolved = [pathname, ...segments].map((text) => tried(() => decodeURIComponent(text), text));
  return [...new Set([...written, ...resolved, ...searchParams.values()])].filter((text) =>
    /[^/]/.test(text),
  );
}
