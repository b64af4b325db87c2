/** Collects the reasons why an address gets no email from all records about it. */
import { portOf, type ClientPort } from '../client/port.ts';
import { isRecipientRefusedError } from '../core/error-guards.ts';
import { InvalidRequestError, refuseCall } from '../core/errors.ts';
import { STREAMS, type Stream } from '../core/request.ts';
import { issuesAt, issuesIn, mustBe, objectOf, oneOf, wholeFrom } from '../core/rules.ts';
import type { Contact } from '../resources/contacts/types.ts';
import type { EmailLogMessageDetails } from '../resources/email-logs/types.ts';
import type { SendingDomain } from '../resources/sending-domains/types.ts';
import { isVerified } from '../resources/sending-domains/verification.ts';
import type { Suppression, TrackingOptOut } from '../resources/suppressions/types.ts';
import type { DiagnosedClient } from './client.ts';
import { firstOf, orNull, PartReader, type DiagnosedPart } from './part.ts';

/** Options of {@link whyNoMail}. */
export interface WhyNoMailOptions {
  /**
   * Number of days of the log to read.
   *
   * @defaultValue 30
   */
  readonly days?: number | undefined;
  /** The sender's address, or its domain. Default: the client's default sender. */
  readonly from?: string | undefined;
  /** The stream. Default: the client's stream. */
  readonly stream?: Stream | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A record that blocks email to an address. `blocks` says whether it does so for this sender and stream. */
export type NoMailReason =
  | {
      /** The address is suppressed. */
      readonly kind: 'suppression';
      /** Whether it blocks email of the sender and stream to the address. */
      readonly blocks: boolean;
      /** The suppression. */
      readonly suppression: Suppression;
    }
  | {
      /** The sending domain is not verified, or does not belong to the account that the token can see. */
      readonly kind: 'domain';
      /** It blocks email to the address. */
      readonly blocks: true;
      /** Whether the domain is unverified, or missing from the account. */
      readonly state: 'unverified' | 'missing';
    }
  | {
      /** The client's option `recipients` refuses the address, or sends its email to another one. */
      readonly kind: 'recipients';
      /** It blocks email to the address. */
      readonly blocks: true;
      /** The guard's decision about an email. */
      readonly outcome: 'refused' | 'redirected';
    }
  | {
      /** The stream is the sandbox, which captures emails. */
      readonly kind: 'sandbox';
      /** It blocks email to the address. */
      readonly blocks: true;
    };

/** An email of the log with its events, without the signed URL of its raw message. */
export type LoggedMail = Omit<EmailLogMessageDetails, 'raw_message_url'>;

/** The contact with the address, and the names of its lists. */
export interface DiagnosedContact extends Contact {
  /** Names of its lists; undefined if the token may not read them. */
  readonly lists: readonly string[] | undefined;
}

/** The result of {@link whyNoMail}. */
export interface WhyNoMail {
  /** The address. */
  readonly email: string;
  /** Domain of the sender. */
  readonly domain: string;
  /** The stream. */
  readonly stream: Stream;
  /**
   * Whether email of this sender and stream reaches the address: true if no record blocks it, null if a part that may
   * block it is in `unreadable`. A soft bounce does not block: see `mails`.
   */
  readonly reachable: boolean | null;
  /**
   * All records that block email to the address, also email of other senders and streams. The blocking reasons come
   * first.
   */
  readonly reasons: readonly NoMailReason[];
  /**
   * The newest emails to the address with their events, at most ten; undefined if the token may not read the log. The
   * log is late: it may not have an email or an event of the last minutes yet.
   */
  readonly mails: readonly LoggedMail[] | undefined;
  /** Whether the log has further emails of these days. */
  readonly hasMoreMails: boolean;
  /**
   * The contact; null if there is none, undefined if the token may not read contacts. Its status applies only to
   * campaigns.
   */
  readonly contact: DiagnosedContact | null | undefined;
  /**
   * Opt-outs of the address, which disable the tracking of its opens and clicks. Undefined if the token may not read
   * them.
   */
  readonly trackingOptOuts: readonly TrackingOptOut[] | undefined;
  /** The parts that the token may not read. */
  readonly unreadable: readonly DiagnosedPart[];
}

const MAX_MAILS = 10;
const DAY_MS = 86_400_000;

const DOMAIN = /(?:^|@)((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+)>?\s*$/u;
const domainOf = (from: string) => DOMAIN.exec(from)?.[1]?.toLowerCase();

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

/** Checks the arguments. Returns the client's port and the sender's domain. */
function checked(
  client: DiagnosedClient,
  email: string,
  options: WhyNoMailOptions,
): { readonly port: ClientPort; readonly domain: string } {
  const port = portOf(client);
  if (!port)
    throw new InvalidRequestError(issuesAt('client', 'must be an EmailPlatform: pass new EmailPlatform()'), {
      operation: 'whyNoMail',
    });
  const { from = port.sender } = options;
  const needed = 'is required: the client has no default sender (defaults.from, EMAIL_PLATFORM_FROM)';
  refuseCall('whyNoMail', [
    ...issuesAt('email', addressRule(email)),
    ...issuesIn('options', () => optionsRule(options)),
    ...issuesAt('options.from', from === undefined ? needed : undefined),
  ]);
  return { port, domain: domainOf(from ?? '') ?? '' };
}

/** The decision of the client's guard about an email to the address. */
function guardReasons(port: ClientPort, email: string, stream: Stream): NoMailReason[] {
  const fields = JSON.stringify({ to: [{ email }] });
  const reason = (outcome: 'refused' | 'redirected') =>
    ({ kind: 'recipients', blocks: true, outcome }) as const;
  try {
    const { to } = JSON.parse(port.recipientsSent(fields, stream)) as {
      readonly to: readonly { email: string }[];
    };
    const isKept = to.some((one) => one.email.toLowerCase() === email.toLowerCase());
    return isKept ? [] : [reason('redirected')];
  } catch (error) {
    if (!isRecipientRefusedError(error)) throw error;
    return [reason('refused')];
  }
}

function domainReasons(domains: readonly SendingDomain[] | undefined, name: string): NoMailReason[] {
  const domain = domains?.find(({ domain_name: one }) => one.toLowerCase() === name);
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
    const isOfDomain = (of ?? '') === '' || of?.toLowerCase() === domain;
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
 * that the token may not read in `unreadable`.
 *
 * @param client - the client that sends
 * @param email - the address
 * @throws `InvalidRequestError` for wrong arguments, before any request; and every error of a request
 * @example
 * ```ts
 * const { reachable, reasons, mails } = await whyNoMail(client, 'ann@example.org', { from: 'hello@mail.example.com' });
 * ```
 */
export async function whyNoMail(
  client: DiagnosedClient,
  email: string,
  options: WhyNoMailOptions = {},
): Promise<WhyNoMail> {
  const { port, domain } = checked(client, email, options);
  const { days = 30, stream = port.stream, signal } = options;
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
  const reasons: NoMailReason[] = [
    ...guardReasons(port, email, stream),
    ...(stream === 'sandbox' ? [{ kind: 'sandbox', blocks: true } as const] : []),
    ...domainReasons(domains?.[0], domain),
    ...suppressionReasons((suppressions?.[0] ?? []).filter(isOfAddress), domain, stream),
  ].sort((one, other) => Number(other.blocks) - Number(one.blocks));
  const isBlocked = reasons.some(({ blocks }) => blocks);
  const isKnown = suppressions !== undefined && domains !== undefined;
  return {
    email,
    domain,
    stream,
    reachable: isBlocked ? false : isKnown ? true : null,
    reasons,
    mails: log && mails,
    hasMoreMails: log?.[1] ?? false,
    contact,
    trackingOptOuts: optOuts?.[0].filter(isOfAddress),
    unreadable: parts.unreadable,
  };
}
