/** Makes the records of a store from posted events and from messages of the email log. */
import { isolated } from '../../../core/isolated.ts';
import { isRecord } from '../../../core/record.ts';
import { keyShownAs } from '../../../core/key.ts';
import type { EmailLogEvent } from '../../../resources/email-logs/event-types.ts';
import type { EmailLogMessageDetails } from '../../../resources/email-logs/types.ts';
import { addressOf, type Addresses } from './addresses.ts';
import { grouped } from '../../../kit/grouped.ts';
import { cleaned } from '../rows.ts';
import { BY_VISITOR } from './history.ts';
import { deliveryStatusOf, isDeliveryEvent, strongest, type StatusSince } from './status.ts';
import type { DeliveryEventRecord, DeliveryRecord } from './types.ts';
import type { PostedEvent } from './posted-event.ts';

/** The parts that the records of one `Deliveries` share. */
export interface RecordParts {
  readonly addresses: Addresses;
  /** Name of the custom variable that carries the key. */
  readonly keyVariable: string;
  /** Names of the custom variables that are kept. */
  readonly variables: readonly string[];
}

/** A message, and one or all of its events. */
interface Read {
  readonly messageId: string;
  readonly address: string | undefined;
  readonly stream: string | null;
  readonly customVariables: Record<string, unknown>;
  /** Milliseconds since 1970 of the message, or of the event. */
  readonly at: number;
  readonly events: readonly DeliveryEventRecord[];
}

/** Longest id in characters. Ids of the service are UUIDs. */
const MAX_ID = 255;

/** The text of an id; undefined for any other value. */
export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_ID) return undefined;
  return cleaned(value) || undefined;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== ''
    ? cleaned(value)
    : typeof value === 'number'
      ? String(value)
      : null;

/** The time in whole seconds, because posts have no smaller unit. */
const wholeSecond = (ms: number) => Math.floor(ms / 1000) * 1000;

/** The second of a date-time; that of `otherwise` if it is not one. */
const secondOf = (dateTime: unknown, otherwise: number) => {
  const ms = typeof dateTime === 'string' ? Date.parse(dateTime) : NaN;
  return wholeSecond(Number.isNaN(ms) ? otherwise : ms);
};

/**
 * Tells apart the links and the visitors of the same second, by FNV-1a. It has 16 bits, too few to find the text that it
 * is made from, which may contain an address.
 */
function markOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}

function momentOf(type: string, at: number, url: string | null): string {
  return `${type} ${at / 1000}${type === 'click' && url !== null ? ` ${markOf(url)}` : ''}`;
}

/** Identifies a posted event. Two webhooks report an event with two ids; its visitor shows that it is one. */
function identityOf({ event_id, ip, user_agent }: PostedEvent, moment: string, url: string | null): string {
  const id = idOf(event_id);
  if (id === undefined) return `${moment} #0`;
  const address = textOf(ip);
  return address === null
    ? `id ${id}`
    : `${BY_VISITOR}${markOf(JSON.stringify([url, address, textOf(user_agent)]))} ${id}`;
}

/** The fields of an object from outside; a polluted `Object.prototype` adds none. */
const fieldsOf = (value: unknown): Record<string, unknown> => isolated(isRecord(value) ? value : {});

/** Whether an event is a campaign's, by the name of a field. */
const isOfCampaign = (event: object) =>
  Object.entries(event).some(([name, value]) => name.includes('campaign') && value != null);

/**
 * Reads a posted event; undefined if it is not one of an email.
 *
 * @param postedAt - the time of an event without one
 */
export function readPosted(posted: PostedEvent, postedAt: number): Read | undefined {
  if (!isRecord(posted)) return undefined;
  const event = fieldsOf(posted) as unknown as PostedEvent;
  const { kind, event_type: type, occurredAt } = event;
  const messageId = idOf(event.message_id);
  if (kind !== 'sending' || !isDeliveryEvent(type) || messageId === undefined || isOfCampaign(posted))
    return undefined;
  const happenedAt = occurredAt instanceof Date ? occurredAt.getTime() : NaN;
  const isUntimed = Number.isNaN(happenedAt);
  const at = wholeSecond(isUntimed ? postedAt : happenedAt);
  const url = textOf(event.url);
  const moment = momentOf(type, at, url);
  return {
    messageId,
    address: addressOf(event.email),
    stream: textOf(event.sending_stream),
    customVariables: fieldsOf(event.custom_variables),
    at,
    events: [
      {
        identity: identityOf(event, moment, url),
        moment,
        type,
        at,
        isUntimed,
        code: textOf(event.response_code),
        category: textOf(event.bounce_category),
        text: textOf(event.response) ?? textOf(event.reason),
        url,
      },
    ],
  };
}

/** A message of the email log, with the numbers of its events. */
export interface ReadLogged extends Read {
  readonly total: number;
  readonly ignored: number;
}

/**
 * Reads a message of the email log with its events. Events of the same moment are numbered. The service may send
 * anything: a message whose events are no list counts as one event that is ignored.
 */
export function readLogged(listedId: string, message: EmailLogMessageDetails): ReadLogged {
  const { to, sending_stream, custom_variables, sent_at, events } = fieldsOf(message);
  const seen = new Map<string, number>();
  const at = secondOf(sent_at, Date.now());
  const all: readonly unknown[] = Array.isArray(events) ? events : [null];
  const known = all.map(fieldsOf).filter(({ event_type }) => isDeliveryEvent(event_type));
  return {
    messageId: listedId,
    address: addressOf(to),
    stream: textOf(sending_stream),
    customVariables: fieldsOf(custom_variables),
    at,
    events: known.map((event) => readLoggedEvent(event as unknown as EmailLogEvent, at, seen)),
    total: all.length,
    ignored: all.length - known.length,
  };
}

function readLoggedEvent(
  { event_type: type, created_at, details }: EmailLogEvent,
  sentAt: number,
  seen: Map<string, number>,
): DeliveryEventRecord {
  const at = secondOf(created_at, sentAt);
  const fields = fieldsOf(details);
  const url = textOf(fields.click_url);
  const moment = momentOf(type, at, url);
  const number = seen.get(moment) ?? 0;
  seen.set(moment, number + 1);
  return {
    identity: `${moment} #${number}`,
    moment,
    type,
    at,
    isUntimed: false,
    code: textOf(fields.email_service_provider_status),
    category: textOf(fields.bounce_category),
    text: textOf(fields.email_service_provider_response) ?? textOf(fields.reject_reason),
    url,
  };
}

/** The status of some events; that of a message without an event. */
function statusIn({ events, at }: Read): StatusSince {
  return events
    .map((event) => ({ status: deliveryStatusOf([event.type]), statusAt: event.at }))
    .reduce(strongest, { status: 'accepted', statusAt: at });
}

/** The records of a store: one for each message. */
export async function recordsOf(all: readonly Read[], parts: RecordParts): Promise<DeliveryRecord[]> {
  const messages = [...grouped(all, ({ messageId }) => [messageId]).values()];
  return Promise.all(messages.map((some) => recordOf(some, parts)));
}

async function recordOf(
  some: readonly Read[],
  { addresses, keyVariable, variables }: RecordParts,
): Promise<DeliveryRecord> {
  const customVariables = new Map(some.flatMap((one) => Object.entries(one.customVariables)));
  const named = variables.filter((name) => customVariables.get(name) !== undefined);
  const events = new Map(some.flatMap((one) => one.events.map((event) => [event.identity, event])));
  const { areTextsKept } = addresses;
  const key = keyShownAs(customVariables.get(keyVariable)) ?? null;
  return {
    messageId: some[0]?.messageId ?? '',
    key,
    keyIds: await addresses.idsIn(key),
    ...(await addresses.keep(some.find(({ address }) => address !== undefined)?.address)),
    stream: some.find(({ stream }) => stream !== null)?.stream ?? null,
    ...some.map(statusIn).reduce(strongest),
    lastAt: some
      .flatMap((one) => [one.at, ...one.events.map(({ at }) => at)])
      .reduce((last, at) => Math.max(last, at)),
    variables:
      named.length === 0 ? null : Object.fromEntries(named.map((name) => [name, customVariables.get(name)])),
    events: [...events.values()].map((event) => (areTextsKept ? event : { ...event, text: null, url: null })),
  };
}
