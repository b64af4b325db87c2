/** Short ids, codes, long numbers and amounts of fixed text: the emails of each side agree on one, and the sides do not. */
import type { ComparedPart, ReadMail } from './parts.ts';
import { shortId } from './tokens.ts';

export interface DifferingValue {
  /** Its block, as its words without amounts, and its place in it. */
  readonly key: string;
  readonly at: number;
  readonly before: string;
  readonly after: string;
  /** Whether each side has it in several emails. */
  readonly isChange: boolean;
}

/** An amount with two digits after the point, such as `49.90`. */
export const AMOUNT = /^\d{1,9}[.,]\d\d$/;
const AMOUNTS = /(?<![\w.,])\d{1,9}[.,]\d\d(?![\w.,])/g;
export const withoutAmounts = (key: string): string => key.replace(AMOUNTS, '#');

/** The values of a part that differ between two sides. */
export function valuesOf(
  left: readonly ReadMail[],
  right: readonly ReadMail[],
  part: ComparedPart,
): DifferingValue[] {
  const others = agreedIn(right, part);
  return [...agreedIn(left, part)].flatMap(([place, { key, at, value: before, mails }]) => {
    const { value: after = null, mails: more } = others.get(place) ?? {};
    return before === null || after === null || before === after || more === undefined
      ? []
      : [{ key, at, before, after, isChange: mails.size > 1 && more.size > 1 }];
  });
}

/** By place, the value on which all emails agree that have the place; `null` if they do not agree. */
function agreedIn(mails: readonly ReadMail[], part: ComparedPart) {
  const found = new Map<string, { key: string; at: number; value: string | null; mails: Set<ReadMail> }>();
  for (const mail of mails) {
    const { text, tokens, blocks } = mail.parts[part];
    for (const block of blocks) {
      for (const [at, token] of tokens.slice(block.from, block.to).entries()) {
        const value = AMOUNT.test(token.key) ? token.key : shortId(token, text ?? '');
        if (value === undefined) continue;
        const key = withoutAmounts(block.key);
        const place = `${key}\u0003${at}`;
        const known = found.get(place) ?? { key, at, value, mails: new Set() };
        if (known.value !== value) known.value = null;
        known.mails.add(mail);
        found.set(place, known);
      }
    }
  }
  return found;
}
