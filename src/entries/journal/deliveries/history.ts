/**
 * The history of a message, from the events in a store.
 *
 * A post gives an event its id; the email log does not. So an event that both had is stored twice, with the same moment.
 * Two webhooks give an event two ids. So of the posted events of a moment, those with the same visitor are one. Of the
 * events of a moment, as many happened as were posted, or as the log had, whichever is more.
 */
import { grouped } from '../../../kit/grouped.ts';
import type {
  Delivery,
  DeliveryCount,
  DeliveryEvent,
  DeliveryEventRecord,
  DeliveryTrace,
  StoredDelivery,
} from './types.ts';

/** Precedes the mark of a visitor in the identity of a posted event. */
export const BY_VISITOR = 'by ';

type Identified = Pick<DeliveryEventRecord, 'identity'>;

const isPosted = ({ identity }: Identified) => identity.startsWith('id ') || identity.startsWith(BY_VISITOR);

/** Whether an event is known from the email log, or could be: from a post without an id. */
export const isLogged = (event: Identified): boolean => !isPosted(event);

const visitOf = ({ identity }: Identified) =>
  identity.startsWith(BY_VISITOR) ? identity.split(' ', 2).join(' ') : identity;

/** The events of a moment, as they were posted and as the log had them. */
function sources<T extends Identified>(events: readonly T[]) {
  return {
    posted: [...grouped(events.filter(isPosted), (one) => [visitOf(one)]).values()].flatMap(
      ([first]) => first ?? [],
    ),
    logged: events.filter(isLogged),
  };
}

const numberOf = (events: readonly Identified[]) => {
  const { posted, logged } = sources(events);
  return Math.max(posted.length, logged.length);
};

/** The number of events that a record added: one that the store has from the other source already is not new. */
export function addedIn(traces: readonly DeliveryTrace[]): number {
  const moments = [
    ...grouped(traces, ({ messageId, moment }) => [JSON.stringify([messageId, moment])]).values(),
  ];
  return moments
    .map((all) => numberOf(all) - numberOf(all.filter(({ isNew }) => !isNew)))
    .reduce((sum, added) => sum + added, 0);
}

const byIdentity = (one: DeliveryEventRecord, other: DeliveryEventRecord) =>
  one.identity < other.identity ? -1 : 1;

/** The events of a moment: each from its post, with the values that only the log had. */
function merged(events: readonly DeliveryEventRecord[]): DeliveryEventRecord[] {
  const { posted, logged } = sources(events.toSorted(byIdentity));
  const [more, fewer] = logged.length > posted.length ? [logged, posted] : [posted, logged];
  return more.map((one, index) => {
    const [first, second] = isPosted(one) ? [one, fewer[index]] : [fewer[index] ?? one, one];
    return {
      ...first,
      code: first.code ?? second?.code ?? null,
      category: first.category ?? second?.category ?? null,
      text: first.text ?? second?.text ?? null,
      url: first.url ?? second?.url ?? null,
    };
  });
}

const shown = ({ type, at, code, category, text, url }: DeliveryEventRecord): DeliveryEvent => ({
  type,
  at: new Date(at),
  code,
  category,
  text,
  url,
});

function countOf(events: readonly DeliveryEvent[], type: string): DeliveryCount {
  const some = events.filter((event) => event.type === type);
  return { count: some.length, first: some[0]?.at ?? null, last: some.at(-1)?.at ?? null };
}

/** The delivery of a stored message. */
export function deliveryOf(stored: StoredDelivery): Delivery {
  const { messageId, key, recipient, stream, status, statusAt, variables } = stored;
  const events = [...grouped(stored.events, ({ moment }) => [moment]).values()]
    .flatMap(merged)
    .sort((one, other) => one.at - other.at || (one.moment < other.moment ? -1 : 1))
    .map(shown);
  return {
    messageId,
    key,
    recipient,
    stream,
    status,
    at: new Date(statusAt),
    opens: countOf(events, 'open'),
    clicks: countOf(events, 'click'),
    events,
    variables: variables ?? {},
  };
}

/** The delivery of a message of which nothing but its key is known. */
export const unheardOf = (messageId: string, key: string): Delivery => ({
  messageId,
  key,
  recipient: null,
  stream: null,
  status: 'accepted',
  at: null,
  opens: { count: 0, first: null, last: null },
  clicks: { count: 0, first: null, last: null },
  events: [],
  variables: {},
});
