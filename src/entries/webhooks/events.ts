import { parseJson } from '../../core/json.ts';
import { fieldOf, isRecord } from '../../core/record.ts';
import type { WebhookEvent } from '../../resources/webhooks/event-types.ts';
import { WebhookPayloadError } from './errors.ts';

/** The types of an email's events, as the email log names them. */
const SENDING = /^(delivery|open|click|soft_bounce|bounce|spam|unsubscribe|suspension|reject)$/;

/** Largest timestamp that is read as seconds, in the year 5138. As milliseconds it would be in 1973. */
const LAST_SECOND = 1e11;

/** Parses a body: as one JSON value, or as JSON lines. */
function itemsOf(text: string): readonly unknown[] {
  const whole = parseJson(text);
  if (isRecord(whole)) {
    const events = fieldOf(whole, 'events');
    return Array.isArray(events) ? events : [whole];
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parseJson(line));
}

/** Adds the kind, the time, and the email log's name of the type to an event. */
function toEvent(sent: Record<string, unknown> & { readonly event: string }): WebhookEvent {
  const { event } = sent;
  const timestamp = fieldOf(sent, 'timestamp');
  const inbound_inbox_id = fieldOf(sent, 'inbound_inbox_id');
  const name = event === 'spam_complaint' ? 'spam' : event.replace(' ', '_');
  const occurredAt = new Date(
    typeof timestamp === 'number' && timestamp < LAST_SECOND
      ? timestamp * 1000
      : ((timestamp ?? NaN) as number),
  );
  const eventOf = (kind: string, event_type: string) =>
    ({ ...sent, kind, event_type, occurredAt }) as unknown as WebhookEvent;
  if (SENDING.test(name)) return eventOf('sending', name);
  if (event.startsWith('activity_log.')) return eventOf('audit', event);
  // `inbound_message_received` is the test event of the service's web interface. It names the inbox differently.
  if (/^inbound[._]message_received$/.test(event)) {
    const inbound = eventOf('inbound', 'inbound.message_received');
    return inbound_inbox_id === undefined
      ? inbound
      : ({ inbox_id: inbound_inbox_id, ...inbound } as WebhookEvent);
  }
  return eventOf('unknown', event);
}

/**
 * The events in a body.
 *
 * @throws WebhookPayloadError
 */
export function eventsIn(body: Uint8Array): WebhookEvent[] {
  let text: string | undefined;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // Not UTF-8. Errors here have no cause, because a parser's message quotes the body.
  }
  const items = text === undefined ? [] : itemsOf(text);
  const isEvent = (item: unknown): item is Parameters<typeof toEvent>[0] =>
    typeof fieldOf(item, 'event') === 'string';
  if (items.length === 0 && isRecord(parseJson(text)))
    throw new WebhookPayloadError('The post is signed, but its list of events is empty');
  if (items.length === 0 || !items.every(isEvent)) throw new WebhookPayloadError(formProblem(text));
  return items.map(toEvent);
}

/** The form that is expected, and what the body is instead. It quotes nothing of the body. */
function formProblem(text: string | undefined): string {
  const body = parseJson(text);
  const is = Array.isArray(body)
    ? 'a list without it'
    : isRecord(body)
      ? 'an object in which an event lacks the text "event"'
      : 'something else';
  return `The body of the post must be { "events": [ … ] }, or one event as JSON on each line; it is ${is}`;
}
