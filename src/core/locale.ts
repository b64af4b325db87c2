/** A tag as `Intl` knows it: `he` for `iw`. Undefined for a text that is no tag, and without `Intl.Locale`. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/** The parts of a tag, whatever separates them: `de-AT`, `de_AT`, and `de_AT.UTF-8` of a system. */
function subtagsOf(locale: string): string[] {
  const [tag = ''] = locale.trim().split(/[.@]/, 1);
  const plain = tag.replaceAll('_', '-');
  return (localeOf(plain)?.toString() ?? plain).toLowerCase().split('-');
}

/** One text for all spellings of a language tag. */
export const canonicalLocale = (locale: string): string => subtagsOf(locale).join('-');

/** The languages that readers of Norwegian understand: `no` is nearly always `nb`. */
const NORWEGIAN: readonly string[] = ['nb', 'no', 'nn'];

/** The language and the script of a locale, as `zh-Hant` of `zh-TW`. Undefined where `Intl` has no data for it. */
function writtenAs(locale: string): string | undefined {
  const { language, script } = localeOf(canonicalLocale(locale))?.maximize() ?? {};
  if (language === undefined || script === undefined) return undefined;
  return `${NORWEGIAN.includes(language) ? 'no' : language}-${script}`;
}

/** How near a language is to all that are written like it, lower first: without a region, then with the usual one. */
function rankOf(locale: string): number {
  const { language = '', region } = localeOf(canonicalLocale(locale)) ?? {};
  const isUsual = region === undefined || region === localeOf(language)?.maximize().region;
  return Number(region !== undefined) + Number(!isUsual) * 2 + NORWEGIAN.indexOf(language) * 4;
}

/** The longest beginning of a tag that is a language, of `least` parts at least: `de-AT-1996`, `de-AT`, `de`. */
function shortened(
  subtags: readonly string[],
  languages: readonly string[],
  least: number,
): string | undefined {
  for (let length = subtags.length; length >= least; length -= 1) {
    const wanted = subtags.slice(0, length).join('-');
    const found = languages.find((one) => canonicalLocale(one) === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The first language that a reader of a locale understands: the locale shortened from its end (RFC 4647, section 3.4), then
 * a language in the same script, then the language alone. Undefined if none is.
 */
export function lookedUp(locale: string, languages: readonly string[]): string | undefined {
  const subtags = subtagsOf(locale);
  const own = writtenAs(locale);
  const alike = languages.filter((one) => own !== undefined && writtenAs(one) === own);
  return (
    shortened(subtags, languages, 2) ??
    alike.find((one) => canonicalLocale(one) === subtags[0]) ??
    alike.sort((one, other) => rankOf(one) - rankOf(other))[0] ??
    shortened(subtags, languages, 1)
  );
}

/** The language that a language falls back to; undefined for the default. */
export const fallbackOf = (language: string, languages: readonly string[]): string | undefined =>
  shortened(subtagsOf(language).slice(0, -1), languages, 1);
