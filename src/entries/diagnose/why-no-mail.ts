/** Collects the reasons why an address gets no email from all records about it. */
import { portOf, type ClientPort } from '../../client/port.ts';
import { InvalidRequestError, refuseCall } from '../../core/errors.ts';
import { STREAMS, type Stream } from '../../core/request.ts';
import { issuesAt, issuesIn, mustBe, objectOf, oneOf, wholeFrom } from '../../core/rules.ts';
import type { SendingDomain } from '../../resources/sending-domains/types.ts';
import { isVerified } from '../../resources/sending-domains/verification.ts';
import type { Suppression } from '../../resources/suppressions/types.ts';
import type { DiagnosedClient } from './client.ts';
import { asciiDomain, domainOf } from './domain-of.ts';
import { lastEventOf } from './last-event.ts';
import { firstOf, orNull, PartReader } from './part.ts';
import { guardedTo } from './settings.ts';
import type {
  DiagnosedContact,
  LoggedMail,
  NewestMail,
  NoMailReason,
  SenderVerdict,
  WhyNoMail,
  WhyNoMailOptions,
} from './why-types.ts';

const MAX_MAILS = 10;
const DAY_MS = 86_400_000;

const addressRule = mustBe(
  'one email address',
  (value) => typeof value === 'string' && /^[^\s@<>]+@[^\s@<>]+$/.test(value),
);
const optionsRule = objectOf<WhyNoMailOptions>({
  days: wholeFrom(1, 365),
  from: mustBe(
    'an email address or a domain',
    (from) => typeof from === 'string' && domainOf(from) !== undefined,
  ),
  stream: oneOf(STREAMS),
  signal: mustBe('an AbortSignal', (signal) => signal instanceof AbortSignal),
});

/** Checks the arguments. Returns the client's port. */
function checked(client: DiagnosedClient, email: string, options: WhyNoMailOptions): ClientPort {
  const port = portOf(client);
  if (!port)
    throw new InvalidRequestError(issuesAt('client', 'must be an EmailPlatform: pass new EmailPlatform()'), {
      operation: 'whyNoMail',
    });
  refuseCall('whyNoMail', [
    ...issuesAt('email', addressRule(email)),
    ...issuesIn('options', () => optionsRule(options)),
  ]);
  return port;
}

/** A sender and its stream. */
interface Sender {
  readonly domain: string;
  readonly stream: Stream;
}

/**
 * The senders that the result is about: the given one, or all that are found, without repetitions: the default sender
 * of the client, those of the emails, and the domains.
 */
function sendersOf(
  { sender, stream: ownStream }: ClientPort,
  { from, stream }: WhyNoMailOptions,
  mails: readonly LoggedMail[],
  domains: readonly SendingDomain[],
): readonly [Sender, ...Sender[]] {
  const of = (text: string, on: Stream = stream ?? ownStream): Sender[] => {
    const domain = domainOf(text);
    return domain === undefined ? [] : [{ domain, stream: on }];
  };
  const ofMail = ({ from: one, sending_stream: on }: LoggedMail): Sender[] => {
    const known = STREAMS.find((name) => name === on);
    return known === undefined || (stream !== undefined && known !== stream) ? [] : of(one, known);
  };
  const found =
    from === undefined
      ? [
          ...(sender === undefined ? [] : of(sender)),
          ...mails.flatMap(ofMail),
          ...domains.flatMap(({ domain_name: name }) => of(name)),
        ]
      : of(from);
  const senders = [...new Map(found.map((one) => [`${one.domain} ${one.stream}`, one])).values()];
  const [first, ...others] = senders;
  const needed =
    'is required: the client has no default sender (defaults.from, EMAIL_PLATFORM_FROM), and neither the log nor the account names one; on the command line, pass --from';
  if (!first) throw new InvalidRequestError(issuesAt('options.from', needed), { operation: 'whyNoMail' });
  return [first, ...others];
}

/** The words for the types of events. */
const ARRIVED: readonly string[] = ['delivery', 'spam', 'unsubscribe'];
const FAILED: readonly string[] = ['bounce', 'soft_bounce', 'reject', 'suspension'];

/** The newest email of a sender, and its last event by time: the log promises no order. */
function newestOf(mails: readonly LoggedMail[], { domain, stream }: Sender): NewestMail | undefined {
  const [newest] = mails
    .filter(({ from, sending_stream: on }) => domainOf(from) === domain && on === stream)
    .sort((one, other) => Date.parse(other.sent_at) - Date.parse(one.sent_at));
  if (!newest) return undefined;
  const { message_id, sent_at, status, events } = newest;
  const event = lastEventOf(newest);
  const type = String(event?.event_type);
  // Its opens and clicks may be in the log before its delivery.
  const isSeen = event === undefined && (events.length > 0 || status === 'delivered');
  const isDelivered = ARRIVED.includes(type) || isSeen;
  const isFailed = FAILED.includes(type) || (!isSeen && event === undefined && status === 'not_delivered');
  return { message_id, sent_at, state: isDelivered ? 'delivered' : isFailed ? 'failed' : 'pending', event };
}

/** The decision of the client's guard about an email to the address. */
function guardReasons(port: ClientPort, email: string, stream: Stream): NoMailReason[] {
  const guarded = guardedTo(port, email, stream);
  return guarded === undefined ? [] : [{ kind: 'recipients', blocks: true, outcome: guarded.outcome }];
}

function domainReasons(domains: readonly SendingDomain[] | undefined, name: string): NoMailReason[] {
  const domain = domains?.find(({ domain_name: one }) => asciiDomain(one) === name);
  if (domains === undefined || (domain && isVerified(domain))) return [];
  return [{ kind: 'domain', blocks: true, state: domain ? 'unverified' : 'missing' }];
}

const suppressionReasons = (
  suppressions: readonly Suppression[],
  domain: string,
  stream: Stream,
): NoMailReason[] =>
  suppressions.map((suppression) => {
    const { sending_stream: on, domain_name: of } = suppression;
    const isOfDomain = (of ?? '') === '' || asciiDomain(of ?? '') === domain;
    const isOfStream = stream !== 'sandbox' && (on === 'any' || on === stream);
    return { kind: 'suppression', blocks: isOfDomain && isOfStream, suppression };
  });

async function contactOf(
  client: DiagnosedClient,
  parts: PartReader,
  email: string,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<DiagnosedContact | null | undefined> {
  const contact = await parts.read('contacts', () => orNull(client.contacts.get(email, options)));
  if (!contact) return contact;
  if (contact.list_ids.length === 0) return { ...contact, lists: [] };
  const lists = await parts.read('contacts.lists', () => firstOf(client.contacts.lists.list({}, options)));
  const names = lists?.[0].filter(({ id }) => contact.list_ids.includes(id)).map(({ name }) => name);
  return { ...contact, lists: names };
}

/**
 * Collects all records about why an address gets no email: its suppressions, the sending domain, the client's own
 * option `recipients`, the newest emails to it with their events, and its contact. It changes nothing. Lists a part
 * that the token may not read in `unreadable`. Without `from`, it answers for every sender that it finds.
 *
 * @param client - the client that sends
 * @param email - the address
 * @throws `InvalidRequestError` for wrong arguments, before any request, and if no sender is found; and every error
 * of a request
 * @example
 * ```ts
 * const { reachable, reasons, newest } = await whyNoMail(client, 'ann@example.org', { from: 'hello@mail.example.com' });
 * ```
 */
export async function whyNoMail(
  client: DiagnosedClient,
  email: string,
  options: WhyNoMailOptions = {},
): Promise<WhyNoMail> {
  const port = checked(client, email, options);
  const { days = 30, signal } = options;
  const parts = new PartReader();
  const isOfAddress = (one: { readonly email: string }) => one.email.toLowerCase() === email.toLowerCase();
  const sent_after = new Date(port.runtime.wallNow() - days * DAY_MS);
  const filters = { to: { operator: 'ci_equal', value: email }, sent_after } as const;
  const [suppressions, optOuts, domains, log, contact] = await Promise.all([
    parts.read('suppressions', () => firstOf(client.suppressions.list({ email }, { signal }))),
    parts.read('trackingOptOuts', () => firstOf(client.trackingOptOuts.list({ email }, { signal }))),
    parts.read('sendingDomains', () => firstOf(client.sendingDomains.list({ signal }))),
    parts.read('emailLogs', () => firstOf(client.emailLogs.list({ filters }, { signal }), MAX_MAILS)),
    contactOf(client, parts, email, { signal }),
  ]);
  const mails = await parts.read('emailLogs', () => Promise.all((log?.[0] ?? []).map(withEvents)));
  async function withEvents({ message_id: id }: { readonly message_id: string }): Promise<LoggedMail> {
    const { raw_message_url: _, ...mail } = await client.emailLogs.get(id, { signal });
    return mail;
  }
  const own = (suppressions?.[0] ?? []).filter(isOfAddress);
  const isKnown = suppressions !== undefined && domains !== undefined;
  const verdictOf = (sender: Sender): SenderVerdict => {
    const { domain, stream } = sender;
    const reasons: NoMailReason[] = [
      ...guardReasons(port, email, stream),
      ...(stream === 'sandbox' ? [{ kind: 'sandbox', blocks: true } as const] : []),
      ...domainReasons(domains?.[0], domain),
      ...suppressionReasons(own, domain, stream),
    ].sort((one, other) => Number(other.blocks) - Number(one.blocks));
    const isBlocked = reasons.some(({ blocks }) => blocks);
    const reachable = isBlocked ? false : isKnown ? true : null;
    return { domain, stream, reachable, reasons, newest: newestOf(mails ?? [], sender) };
  };
  const [first, ...others] = sendersOf(port, options, mails ?? [], domains?.[0] ?? []);
  return {
    email,
    ...verdictOf(first),
    others: others.map(verdictOf),
    mails: log && mails,
    hasMoreMails: log?.[1] ?? false,
    contact,
    trackingOptOuts: optOuts?.[0].filter(isOfAddress),
    unreadable: parts.unreadable,
  };
}
