/** The parts of a tag, whatever separates them: `de-AT`, `de_AT`, and `de_AT.UTF-8` of a system. */
const subtagsOf = (locale: string): string[] => {
  const [tag = ''] = locale.trim().split(/[.@]/, 1);
  return tag.toLowerCase().split(/[-_]/);
};

/** One text for all spellings of a language tag. */
export const canonicalLocale = (locale: string): string => subtagsOf(locale).join('-');

/**
 * The first language that a reader of a locale understands: the lookup of BCP 47 (RFC 4647, section 3.4), which shortens the
 * locale from its end, as in `de-AT-1996`, `de-AT`, `de`. Undefined if no language is left.
 */
export function lookedUp(locale: string, languages: readonly string[]): string | undefined {
  const subtags = subtagsOf(locale);
  for (let length = subtags.length; length > 0; length -= 1) {
    const wanted = subtags.slice(0, length).join('-');
    const found = languages.find((one) => canonicalLocale(one) === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The language that a language falls back to; undefined for the default. */
export const fallbackOf = (language: string, languages: readonly string[]): string | undefined =>
  lookedUp(subtagsOf(language).slice(0, -1).join('-'), languages);
