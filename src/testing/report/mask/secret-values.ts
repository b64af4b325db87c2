import { isUnique, REDACTED } from '../../service/wire/redacted.ts';
import type { Finder } from './hide.ts';

/** Finds secrets by their values, also in base64. */
export function secretFinder(values: Iterable<string>): Finder {
  const forms = [...new Set(values)].filter(isUnique).flatMap((value) => [value, ...base64Forms(value)]);
  // The longest first: a secret may begin another one.
  const pattern = forms.sort((a, b) => b.length - a.length).map((form) => form.replace(/\W/g, '\\$&'));
  const secrets = new RegExp(pattern.join('|') || '(?!)', 'g');
  return (text) =>
    Array.from(text.matchAll(secrets), ({ 0: { length }, index }) => ({
      from: index,
      to: index + length,
      shown: REDACTED,
    }));
}

/** The base64 of an ASCII text behind none, one and two other characters, without the digits that it shares with others. */
const base64Forms = (text: string): string[] =>
  /[^\0-\x7f]/.test(text)
    ? []
    : [0, 1, 2].map((offset) =>
        btoa('.'.repeat(offset) + text).slice(offset && offset + 1, ((offset + text.length) * 4) / 3),
      );
