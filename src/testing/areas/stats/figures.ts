import { stepsOf } from '../logs/events.ts';
import type { LogRecord } from '../logs/record.ts';

const COUNTED = {
  delivery: ['delivery'],
  bounce: ['bounce', 'soft_bounce'],
  open: ['open'],
  click: ['click'],
  spam: ['spam'],
} as const;

/** How many messages had each outcome, and their share of those that were sent, or of those that were delivered. */
export function figuresOf(records: readonly LogRecord[], now: number): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [name, types] of Object.entries(COUNTED)) {
    const met = records.filter((record) =>
      stepsOf(record, now).some(({ type }) => (types as readonly string[]).includes(type)),
    );
    figures[`${name}_count`] = met.length;
    const ofDelivered = name === 'open' || name === 'click';
    const whole = ofDelivered ? (figures.delivery_count ?? 0) : records.length;
    figures[`${name}_rate`] = whole === 0 ? 0 : met.length / whole;
  }
  return figures;
}
