/** The status of an email, from its events in any order: the strongest of the statuses that they stand for. */

/**
 * The status of an email. A status outranks all that follow it:
 *
 * - `complained`: its recipient reported it as spam.
 * - `unsubscribed`: its recipient unsubscribed.
 * - `bounced`: the recipient's mail server refused it for good.
 * - `rejected`: the service did not send it.
 * - `delivered`: the recipient's mail server accepted it.
 * - `delayed`: the recipient's mail server, or the service, did not accept it yet; more attempts follow.
 * - `accepted`: the service accepted it, and none of the events above has come.
 */
export type DeliveryStatus =
  | 'complained'
  | 'unsubscribed'
  | 'bounced'
  | 'rejected'
  | 'delivered'
  | 'delayed'
  | 'accepted';

/** All statuses, the weakest first. */
export const STATUSES = [
  'accepted',
  'delayed',
  'delivered',
  'rejected',
  'bounced',
  'unsubscribed',
  'complained',
] as const satisfies readonly DeliveryStatus[];

/** The status that an event stands for. Opens and clicks stand for none. */
const STATUS_OF: ReadonlyMap<string, DeliveryStatus> = new Map([
  ['spam', 'complained'],
  ['unsubscribe', 'unsubscribed'],
  ['bounce', 'bounced'],
  ['reject', 'rejected'],
  ['delivery', 'delivered'],
  ['soft_bounce', 'delayed'],
  ['suspension', 'delayed'],
]);

/** The events that are recorded, with their names in the email log. */
export const isDeliveryEvent = (type: unknown): type is string =>
  typeof type === 'string' && (STATUS_OF.has(type) || type === 'open' || type === 'click');

const rankOf = (status: DeliveryStatus): number => STATUSES.indexOf(status);

/**
 * The status of an email with events of these types, in any order and any number.
 *
 * @param types - the types of its events, as the email log and `readWebhook` name them; others count as no event
 */
export function deliveryStatusOf(types: Iterable<string>): DeliveryStatus {
  let status: DeliveryStatus = 'accepted';
  for (const type of types) {
    const one = STATUS_OF.get(type) ?? 'accepted';
    if (rankOf(one) > rankOf(status)) status = one;
  }
  return status;
}

/** A status, and when it was reached: the time of the first event that stands for it. */
export interface StatusSince {
  readonly status: DeliveryStatus;
  /** Milliseconds since 1970. */
  readonly statusAt: number;
}

/** The stronger of two; of the same status, the earlier. */
export function strongest(one: StatusSince, other: StatusSince): StatusSince {
  const difference = rankOf(one.status) - rankOf(other.status);
  if (difference !== 0) return difference > 0 ? one : other;
  return one.statusAt <= other.statusAt ? one : other;
}

/** The rank of a column's status, in SQL. */
export const rankIn = (column: string): string =>
  `CASE ${column} ${STATUSES.map((status, rank) => `WHEN '${status}' THEN ${rank}`).join(' ')} END`;
