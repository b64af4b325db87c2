import type { Sum } from './sums.ts';

/** How many messages had each outcome, and their share of those that were sent, or of those that were delivered. */
export function figuresOf(sums: readonly Sum[]): Record<string, number> {
  const total = (name: string) => sums.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  const figures: Record<string, number> = {};
  for (const name of ['delivery', 'bounce', 'open', 'click', 'spam']) {
    const count = total(name);
    const whole = total(name === 'open' || name === 'click' ? 'delivery' : 'sent');
    figures[`${name}_count`] = count;
    figures[`${name}_rate`] = whole === 0 ? 0 : count / whole;
  }
  return figures;
}
