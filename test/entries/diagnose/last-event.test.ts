import type { EmailPlatform } from 'email-platform';
import { expect, test } from 'vitest';
import { lastEventOf } from '../../../src/entries/diagnose/last-event.ts';

const event = (event_type: string, second: number) =>
  ({ event_type, created_at: `2026-11-12T10:31:0${second}Z`, details: {} }) as EmailPlatform.EmailLogEvent;

test.each([
  [[event('bounce', 2), event('delivery', 1)], 'bounce'],
  [[event('delivery', 1), event('bounce', 2), event('click', 3)], 'bounce'],
  [[event('soft_bounce', 1), event('delivery', 1)], 'delivery'],
  [[event('open', 1)], undefined],
  [[], undefined],
])('the last event by time, opens and clicks aside (%#)', (events, type) => {
  expect(lastEventOf({ events })?.event_type).toBe(type);
});
