/** Short ids, codes and numbers of fixed text: the emails of each side agree on one, and the sides do not. */
import type { ComparedPart, ReadMail } from './parts.ts';
import { shortId } from './tokens.ts';

export interface DifferingValue {
  /** The key of its block, and its place in it. */
  readonly key: string;
  readonly at: number;
  readonly before: string;
  readonly after: string;
  /** Whether each side has it in several emails. */
  readonly isChange: boolean;
}

/** The values of a part that differ between two sides. */
export function valuesOf(
  left: readonly ReadMail[],
  right: readonly ReadMail[],
  part: ComparedPart,
): DifferingValue[] {
  const others = agreedIn(right, part);
  return [...agreedIn(left, part)].flatMap(([place, { key, at, value: before, mails }]) => {
    const { value: after, mails: more } = others.get(place) ?? {};
    return before === undefined || after === undefined || before === after || more === undefined
      ? []
      : [{ key, at, before, after, isChange: mails.size > 1 && more.size > 1 }];
  });
}

/** By place, the value on which all emails agree that have the place; `undefined` if they do not agree. */
function agreedIn(mails: readonly ReadMail[], part: ComparedPart) {
  const found = new Map<
    string,
    { key: string; at: number; value: string | undefined; mails: Set<ReadMail> }
  >();
  for (const mail of mails) {
    const { text, tokens, blocks } = mail.parts[part];
    for (const { key, from, to } of blocks)
      for (const [at, token] of tokens.slice(from, to).entries()) {
        const value = shortId(token, text ?? '');
        if (value === undefined) continue;
        const place = `${key}\u0003${at}`;
        const known = found.get(place) ?? { key, at, value, mails: new Set() };
        if (known.value !== value) known.value = undefined;
        known.mails.add(mail);
        found.set(place, known);
      }
  }
  return found;
}
