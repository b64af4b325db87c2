import { InvalidRequestError } from './errors.ts';

/** What a URL parser takes for the current or the parent directory, percent-encoded or not. */
const DOT_SEGMENT = /^(\.|%2e){1,2}$/i;

/** Fills the `{name}` placeholders of a path, each with one encoded segment: never two, none or a dot segment. */
export function expandPath(
  template: string,
  params: Readonly<Record<string, string | number>> | undefined,
): string {
  if (params === undefined) return template;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const segment = String(params[name] ?? '');
    if (segment === '' || DOT_SEGMENT.test(segment)) {
      throw new InvalidRequestError([{ path: name, message: 'must not be empty, "." or ".."' }]);
    }
    return encodeURIComponent(segment);
  });
}
