import type { EmailLogEvent } from '../../resources/email-logs/event-types.ts';

/** The last event of an email by time, opens and clicks aside: the log promises no order. */
export function lastEventOf({
  events,
}: {
  readonly events: readonly EmailLogEvent[];
}): EmailLogEvent | undefined {
  return events
    .filter(({ event_type: type }) => !['open', 'click'].includes(type))
    .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
    .at(-1);
}
