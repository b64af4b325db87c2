import { InvalidRequestError } from './errors.ts';

/** What a URL parser would read as "here" or "one up", also in its encoded spellings. */
const DOT_SEGMENT = /^(\.|%2e){1,2}$/i;

/** Fills the `{name}` places of a path, each as one encoded segment that can never become two, or none, or "one up". */
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
