/** Polls a test inbox for all waiting mailboxes: one request every two seconds, while a mailbox waits. */
import { mailFrom } from '../../reading/message/raw-mail.ts';
import { realTime, type RealTime } from '../../../kit/real-time.ts';
import { MEMORY_ORIGIN } from '../../service/wire/hosts.ts';
import type { Arrival } from './source.ts';
import type {
  MailboxClient,
  MailboxMessage,
  MailboxMessagePage,
} from '../../reading/message/message-types.ts';

/** Milliseconds between two polls. */
const POLL_MS = 2_000;
/** The longest time between two polls, after failures. */
const MAX_POLL_MS = 30_000;
/** The number of messages on a full page. */
const PAGE_SIZE = 30;
/** The most pages of the first poll of an inbox. */
const FIRST_PAGES = 10;
/** The most remembered messages, in addition to those of the last poll. */
const REMEMBERED = 2_000;

/** A waiting mailbox, and its client. */
export interface InboxWaiter {
  readonly client: MailboxClient;
  /** The earliest time of arrival, in milliseconds. */
  readonly after: number | undefined;
  readonly tell: (arrival: Arrival) => void;
}

interface Waiting extends InboxWaiter {
  readonly polled: () => void;
  readonly fail: (error: unknown) => void;
}

/** Errors that another attempt does not change. */
function isFinal(error: unknown): boolean {
  const { status, name } = Object(error) as { status?: unknown; name?: unknown };
  if (typeof status === 'number') return status >= 400 && status < 500 && status !== 408 && status !== 429;
  return name === 'ConfigurationError' || name === 'InvalidRequestError';
}

export class InboxPoller {
  readonly #inbox: number;
  readonly #time: RealTime;
  readonly #waiting = new Set<Waiting>();
  readonly #known = new Map<string, Arrival>();
  #isRunning = false;
  /** Aborted when the last wait ends. */
  #poll = new AbortController();
  #rest = Promise.resolve();
  #failures = 0;
  #failure: unknown;

  constructor(inbox: number, time: RealTime = realTime) {
    this.#inbox = inbox;
    this.#time = time;
  }

  /** The known messages, the newest last. */
  get known(): readonly Arrival[] {
    return [...this.#known.values()];
  }

  /** The error of the last poll; `undefined` if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Passes all messages to the waiter, including the known ones, until the signal is aborted. */
  async follow(waiter: InboxWaiter, signal: AbortSignal): Promise<void> {
    await this.#wait(waiter, signal, () => false);
  }

  /** Passes messages to the waiter until the end of a poll that began after this call. Rejects if that poll fails. */
  async next(waiter: InboxWaiter, signal: AbortSignal): Promise<void> {
    // A poll under way may have missed the messages since its begin.
    let left = this.#isPolling ? 2 : 1;
    await this.#wait(waiter, signal, () => {
      left -= 1;
      return left === 0;
    });
    if (!signal.aborted && this.#failure !== undefined)
      throw new Error(`The test inbox ${this.#inbox} cannot be read`, { cause: this.#failure });
  }

  #isPolling = false;

  #wait(waiter: InboxWaiter, signal: AbortSignal, isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const leave = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', end);
        if (this.#waiting.size === 0) this.#poll.abort();
      };
      const end = () => {
        leave();
        resolve();
      };
      const fail = (error: unknown) => {
        leave();
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as the client threw it
        reject(error);
      };
      const polled = () => {
        if (isOver()) end();
      };
      const waiting: Waiting = { ...waiter, polled, fail };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', end);
      this.known.forEach(waiter.tell);
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      await this.#rest;
      const [first] = this.#waiting;
      if (first === undefined) break;
      this.#poll = new AbortController();
      this.#isPolling = true;
      let restMs = POLL_MS;
      try {
        restMs = await this.#read(first.client, this.#poll.signal);
        this.#failures = 0;
        this.#failure = undefined;
      } catch (error) {
        if (!this.#poll.signal.aborted) {
          this.#failures += 1;
          this.#failure = error;
          if (isFinal(error))
            for (const waiting of this.#waiting) if (waiting.client === first.client) waiting.fail(error);
          restMs = Math.min(MAX_POLL_MS, POLL_MS * 2 ** this.#failures);
        }
      }
      this.#isPolling = false;
      this.#rest = this.#time.sleep(restMs);
      for (const waiting of [...this.#waiting]) waiting.polled();
    }
    this.#isRunning = false;
  }

  /** Reads the inbox from its newest message back to the known ones. Returns the pause, in milliseconds. */
  async #read(client: MailboxClient, signal: AbortSignal): Promise<number> {
    const options = { signal, priority: 'low' } as const;
    const { messages } = client.sandbox;
    const { data, response } = await messages.list(this.#inbox, {}, options).withResponse();
    const isFirst = this.#known.size === 0;
    const earliest = Math.min(...[...this.#waiting].map(({ after }) => after ?? -Infinity));
    const found = new Map<string, Arrival>();
    let page: MailboxMessagePage | undefined = data;
    for (let pages = 1; page !== undefined; pages += 1) {
      const arrivals: Arrival[] = page.items.map((message) => this.#arrivalOf(client, message));
      const unknown = arrivals.filter(({ key }) => !this.#known.has(String(key)));
      unknown.forEach((arrival) => found.set(String(arrival.key), arrival));
      if (arrivals.length < PAGE_SIZE || unknown.length < arrivals.length) break;
      if (isFirst && (pages === FIRST_PAGES || arrivals.some(({ at }) => at < earliest))) break;
      page = await page.nextPage();
    }
    for (const [key, arrival] of [...found].reverse()) {
      this.#known.set(key, arrival);
      this.#waiting.forEach(({ tell }) => tell(arrival));
    }
    for (const key of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(key);
    }
    return POLL_MS * slowdown(response.rateLimit);
  }

  #arrivalOf(client: MailboxClient, message: MailboxMessage): Arrival {
    const { id, subject, from_email: from, to_email: to, created_at: created } = message;
    return {
      // More than the id: after a reset, an emulator reuses ids.
      key: JSON.stringify([id, created, subject, to]),
      to: to.split(/[\s,;<>]+/).filter(Boolean),
      from,
      subject,
      at: Date.parse(created),
      read: async (signal) => {
        try {
          const raw = await client.sandbox.messages.eml(this.#inbox, id, { signal });
          return await mailFrom(raw, String(id), message);
        } catch (error) {
          if ((Object(error) as { status?: unknown }).status === 404) return undefined;
          throw error;
        }
      },
    };
  }
}

/** The factor for slower polls, which leave requests of the token's limit to other processes. */
function slowdown({ limit, remaining }: { readonly limit?: number; readonly remaining?: number }): number {
  if (limit === undefined || remaining === undefined) return 1;
  return remaining < limit / 2 ? 4 : remaining < (limit * 2) / 3 ? 2 : 1;
}

/** The pollers of the process, by inbox; by client if the client does not show its service. */
interface Pollers {
  readonly byInbox: Map<string, WeakRef<InboxPoller>>;
  readonly byClient: WeakMap<object, Map<number, InboxPoller>>;
}

/** The key of the pollers on `globalThis`, because test runners load modules again for each file. */
const POLLERS = Symbol.for('email-platform.inbox-pollers.1');
/** The key of a client's port, which has the addresses of its service. */
const PORT = Symbol.for('email-platform.port');

function pollers(): Pollers {
  const place: Record<symbol, Pollers | undefined> = globalThis;
  return (place[POLLERS] ??= { byInbox: new Map(), byClient: new WeakMap() });
}

/** The poller of a test inbox: one for all clients of a service in the process, as long as a mailbox has it. */
export function pollerOf(client: MailboxClient, inbox: number): InboxPoller {
  const { byInbox, byClient } = pollers();
  const { [PORT]: port } = client as { readonly [PORT]?: { readonly hosts?: { readonly api?: string } } };
  const api = port?.hosts?.api;
  // By client, because every emulator in memory has the same address.
  if (api === undefined || api.startsWith(MEMORY_ORIGIN)) {
    const own = byClient.get(client) ?? new Map<number, InboxPoller>();
    byClient.set(client, own);
    const poller = own.get(inbox) ?? new InboxPoller(inbox);
    own.set(inbox, poller);
    return poller;
  }
  const name = `${inbox} ${api}`;
  const poller = byInbox.get(name)?.deref() ?? new InboxPoller(inbox);
  byInbox.set(name, new WeakRef(poller));
  return poller;
}
