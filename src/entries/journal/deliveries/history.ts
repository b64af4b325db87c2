/**
 * The history of a message, from the events in a store.
 *
 * A post gives an event its id; the email log does not. So an event that both had is stored twice, with the same moment.
 * Of the events of a moment, as many happened as there are ids, or as the log had, whichever is more.
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

const isPosted = ({ identity }: Pick<DeliveryEventRecord, 'identity'>) => identity.startsWith('id ');

const numberOf = (events: readonly Pick<DeliveryEventRecord, 'identity'>[]) => {
  const posted = events.filter(isPosted).length;
  return Math.max(posted, events.length - posted);
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
  const posted = events.filter(isPosted).sort(byIdentity);
  const logged = events.filter((event) => !isPosted(event)).sort(byIdentity);
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
