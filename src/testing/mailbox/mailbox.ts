/** The mailbox of tests. May import `emulator` and `reading`; it knows no report. */
import {
  check,
  emailAddress,
  moment,
  number,
  objectOf,
  positive,
  textLike,
  type Kind,
} from '../declare/kind.ts';
import type { ConnectedEmulator } from '../emulator/connect.ts';
import type { Emulator } from '../emulator/controls/emulator-types.ts';
import { nextEmailsOf } from '../service/state/emails/emulator-mail.ts';
import { emulatorSource } from './sources/emulator-source.ts';
import { inboxSource } from './sources/inbox-source.ts';
import { pollerOf } from './sources/inbox-poller.ts';
import { realTime, type RealTime } from '../../kit/real-time.ts';
import { UnreadableMail } from '../reading/message/raw-mail.ts';
import { isPattern } from '../reading/message/received-mail.ts';
import { comparable } from '../reading/text/text-flow.ts';
import type { Arrival, MailSource } from './sources/source.ts';
import type {
  Mailbox,
  MailboxClient,
  MailboxFilter,
  MailboxInboxOptions,
  MailboxNone,
  MailboxOptions,
  MailboxWait,
} from '../reading/message/message-types.ts';

/** The longest wait, in milliseconds. */
const LONGEST_MS = 3_600_000;
/** The most other emails that an error lists. */
const NAMED = 5;

const isShaped = (value: unknown, ...members: readonly string[]) =>
  members.every((member) => (Object(value) as Record<string, unknown>)[member] !== undefined);

const subject: Kind = {
  what: 'a text or a RegExp',
  hasType: (value) => typeof value === 'string' || isPattern(value),
};
const signal: Kind = {
  what: 'an AbortSignal',
  hasType: (value) => isShaped(value, 'aborted', 'addEventListener', 'removeEventListener'),
};
const waitMs = number('a number of milliseconds, from 0 to one hour', (ms) => ms >= 0 && ms <= LONGEST_MS);

const filter = { to: emailAddress, from: emailAddress, subject, after: moment, signal };
const waitKind = objectOf<MailboxWait>({ ...filter, timeoutMs: waitMs });
const noneKind = objectOf<MailboxNone>({ ...filter, withinMs: waitMs }, ['withinMs']);

const domainName = textLike('the name of a domain', (value) => /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value));
const emulatorOptions = objectOf<MailboxOptions>({ domain: domainName });
const inboxOptions = objectOf<MailboxInboxOptions>({ domain: domainName, inbox: positive });

const localPart = textLike(
  'letters, digits, dots, dashes and underscores, at most 40',
  (value) => /^[\w-]+(?:\.[\w-]+)*$/.test(value) && value.length <= 40,
);

/** The source of a mailbox's emails, and the domain of its addresses. */
function sourceOf(
  input: Emulator | ConnectedEmulator | MailboxClient,
  given: MailboxInboxOptions,
): { readonly source: MailSource; readonly domain: string | undefined } {
  const next = nextEmailsOf(input);
  if (next !== undefined) {
    const { domain } = check(emulatorOptions, given, 'options');
    if (domain !== undefined) next.domains?.add(domain.toLowerCase());
    return { source: emulatorSource(input as Emulator, next), domain };
  }
  const client = input as MailboxClient;
  const messages: unknown = (client as Partial<MailboxClient> | null | undefined)?.sandbox?.messages;
  if (!isShaped(messages, 'list', 'eml')) {
    throw new TypeError('`source` must be an emulator of createEmulator or connectEmulator, or a client');
  }
  const { domain, inbox = client.sandboxInboxId } = check(inboxOptions, given, 'options');
  if (inbox === undefined) {
    throw new TypeError(
      '`options.inbox` is missing: pass the id of a test inbox, or give the client a sandboxInboxId',
    );
  }
  return { source: inboxSource(client, inbox, pollerOf(client, inbox)), domain };
}

/**
 * Makes a mailbox for tests. On an emulator, in this process or another one, it sees all emails of all streams. On a client
 * of the service, it sees the emails in a test inbox. The call itself makes no request.
 *
 * @param source - An emulator, or a client that may read a test inbox.
 * @throws `TypeError` for anything else, an unknown option or a wrong type, `RangeError` for a wrong value.
 *
 * @example
 * ```ts
 * const box = mailbox(emulator);
 * const ann = box.address('ann');
 * await signUp(ann);
 * const mail = await box.waitFor({ to: ann, subject: /confirm/i });
 * await page.goto(mail.link('Confirm your address'));
 * ```
 */
export function mailbox(source: Emulator | ConnectedEmulator, options?: MailboxOptions): Mailbox;
export function mailbox(source: MailboxClient, options?: MailboxInboxOptions): Mailbox;
export function mailbox(
  source: Emulator | ConnectedEmulator | MailboxClient,
  options: MailboxInboxOptions = {},
): Mailbox {
  const { source: mails, domain = 'example.org' } = sourceOf(source, options);
  return mailboxOf(mails, domain, realTime);
}

/** Makes a mailbox of any source. Tests inject their own time. */
export function mailboxOf(source: MailSource, ownDomain: string, time: RealTime): Mailbox {
  const returned = new Set<Arrival['key']>();
  return {
    address(name = 'test') {
      check(localPart, name, 'name');
      return `${name}+${randomName()}@${ownDomain}`;
    },
    async waitFor(input: MailboxWait = {}) {
      const wanted = check(waitKind, input, 'wanted');
      const { timeoutMs = source.waitMs } = wanted;
      const isNew = fitting(wanted);
      /** The emails that cannot be read, by their keys: they may be those of a stranger. */
      const unread = new Map<Arrival['key'], string>();
      return waiting(time, timeoutMs, wanted.signal, async (ended, deadline) => {
        for (;;) {
          const arrival = await firstOf(source, wanted, ended, deadline, (one) => {
            if (returned.has(one.key) || unread.has(one.key) || !isNew(one)) return false;
            returned.add(one.key);
            return true;
          });
          if (arrival === undefined)
            throw await nothingCame(source, wanted, timeoutMs, returned, [...unread.values()]);
          const mail = await arrival.read(ended).catch((error: unknown) => {
            returned.delete(arrival.key);
            if (!(error instanceof UnreadableMail)) throw error;
            unread.set(arrival.key, error.message);
            return undefined;
          });
          if (mail !== undefined) return mail;
        }
      });
    },
    async none(input: MailboxNone) {
      const unwanted = check(noneKind, input, 'unwanted');
      const isMeant = fitting(unwanted);
      const { withinMs } = unwanted;
      await waiting(time, withinMs, unwanted.signal, async (ended, deadline) => {
        const arrival = await firstOf(
          source,
          unwanted,
          ended,
          deadline,
          (one) => !returned.has(one.key) && isMeant(one),
          true,
        );
        if (arrival === undefined) return;
        throw new Error(`An email${wordsOf(unwanted)} came to ${source.name}: ${inWords(arrival)}`);
      });
    },
  };
}

/** Waits in real time, and keeps the process alive meanwhile. Passes a signal of the end and a deadline to `work`. */
async function waiting<Result>(
  time: RealTime,
  ms: number,
  outer: AbortSignal | undefined,
  work: (ended: AbortSignal, deadline: Promise<void>) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted();
  const ending = new AbortController();
  const release = time.keepAlive();
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
    abort = () => reject(outer?.reason);
    outer?.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work(ending.signal, time.sleep(ms, ending.signal)), aborted]);
  } finally {
    if (abort !== undefined) outer?.removeEventListener('abort', abort);
    ending.abort();
    release();
  }
}

/** The first email that is accepted before the deadline; `undefined` if there is none. */
async function firstOf(
  source: MailSource,
  { to, after }: MailboxFilter,
  ended: AbortSignal,
  deadline: Promise<void>,
  accept: (arrival: Arrival) => boolean,
  looksOnceMore = false,
): Promise<Arrival | undefined> {
  const following = new AbortController();
  const stop = () => following.abort();
  ended.addEventListener('abort', stop);
  const wanted = { to, after: after === undefined ? undefined : Number(after) };
  let found: Arrival | undefined;
  let tell: (arrival: Arrival) => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    tell = (arrival) => {
      if (found !== undefined || following.signal.aborted || !accept(arrival)) return;
      found = arrival;
      resolve();
    };
  });
  try {
    const follow = source.follow(wanted, tell, following.signal);
    await Promise.race([arrived, follow, deadline]);
    if (looksOnceMore && found === undefined)
      await Promise.race([arrived, source.look(wanted, tell, following.signal)]);
    return found;
  } finally {
    ended.removeEventListener('abort', stop);
    stop();
  }
}

/** Returns a test whether an email fits a filter. */
function fitting({ to, from, subject: wanted, after }: MailboxFilter): (arrival: Arrival) => boolean {
  const [recipient, sender] = [to?.toLowerCase(), from?.toLowerCase()];
  const title = typeof wanted === 'string' ? comparable(wanted) : undefined;
  const pattern =
    typeof wanted === 'object' ? new RegExp(wanted, wanted.flags.replace(/[gy]/g, '')) : undefined;
  return (arrival) =>
    (recipient === undefined || arrival.to.some((one) => one.toLowerCase() === recipient)) &&
    (sender === undefined || arrival.from.toLowerCase() === sender) &&
    (after === undefined || arrival.at >= Number(after)) &&
    (title === undefined || comparable(arrival.subject) === title) &&
    (pattern === undefined || pattern.test(arrival.subject));
}

function wordsOf({ to, from, subject: wanted, after }: MailboxFilter): string {
  const parts = [
    to === undefined ? '' : ` to ${to}`,
    from === undefined ? '' : ` from ${from}`,
    wanted === undefined
      ? ''
      : ` with ${typeof wanted === 'string' ? `the whole subject ${JSON.stringify(wanted)}` : `the subject ${String(wanted)}`}`,
    after === undefined ? '' : ` after ${new Date(Number(after)).toISOString()}`,
  ];
  return parts.join('');
}

const inWords = ({ to, from, subject: title, at }: Arrival) =>
  `${JSON.stringify(title)} to ${to.join(', ')} from ${from} (${Number.isFinite(at) ? new Date(at).toISOString() : 'at an unknown time'})`;

/** The error after a wait without an email. */
async function nothingCame(
  source: MailSource,
  wanted: MailboxWait,
  ms: number,
  returned: ReadonlySet<Arrival['key']>,
  unread: readonly string[],
): Promise<Error> {
  const { arrivals, notes, cause } = await source.report().catch((failure: unknown) => ({
    arrivals: [],
    notes: ['The other emails could not be read'],
    cause: failure,
  }));
  const again = ({ key }: Arrival) => (returned.has(key) ? ', which an earlier wait returned' : '');
  const named = arrivals.slice(-NAMED).map((arrival) => inWords(arrival) + again(arrival));
  const more = arrivals.length > NAMED ? ` (the last ${NAMED} of ${arrivals.length})` : '';
  const others =
    arrivals.length === 0 ? 'It has no email at all' : `It has these${more}: ${named.join('; ')}`;
  return new Error(
    `${[`No email${wordsOf(wanted)} came to ${source.name} within ${ms} ms`, others, ...unread, ...notes].join('. ')}.`,
    cause === undefined ? {} : { cause },
  );
}

/** Twelve random letters and digits, unique in practice. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}
