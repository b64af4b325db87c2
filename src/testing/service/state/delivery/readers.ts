import type { VirtualClock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Decision } from '../emails/reader-links.ts';
import type { Streams } from '../base/streams.ts';
import type { ContactStore } from '../audience/contacts.ts';
import type { LogRecord, LogStore } from '../emails/email-log.ts';
import type { Sums } from '../emails/sums.ts';
import type { SuppressionSettings, SuppressionStore, SuppressionType } from '../audience/suppressions.ts';
import type { OptOutStore } from '../audience/opt-outs.ts';
import type { EventSources } from '../posts/event-sources.ts';

/** The parts that the decisions of readers change. */
export interface ReaderParts {
  readonly clock: VirtualClock;
  readonly streams: Streams;
  readonly settings: { readonly suppressions: SuppressionSettings };
  readonly logs: LogStore;
  readonly suppressions: SuppressionStore;
  readonly optOuts: OptOutStore;
  readonly contacts: ContactStore;
  readonly sums: Sums;
  readonly sources: EventSources;
}

/** The suppression that follows an event. */
const CONSEQUENCES: Readonly<Record<string, SuppressionType>> = {
  bounce: 'hard bounce',
  spam: 'spam complaint',
  unsubscribe: 'unsubscription',
};

/** The kind of the tasks on the clock. */
const TASK = 'unsubscription';

interface Unsubscription {
  readonly accountId: number;
  readonly email: string;
}

/** The consequences of events: suppressions, and contacts that unsubscribe. */
export class Readers {
  readonly #parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    parts.clock.on(TASK, (unsubscription: Unsubscription, at) =>
      this.#unsubscribeContact(unsubscription, at),
    );
  }

  /**
   * Suppresses the recipient from the time of the message's bounce, complaint or unsubscription. A bounce suppresses only
   * with `stopAfterEvents`, so that an address that plays a failure plays it again.
   */
  expect(record: LogRecord, random: Random): void {
    const { clock, settings } = this.#parts;
    for (const { type, afterMs } of record.course.steps) {
      const consequence = CONSEQUENCES[type];
      if (consequence === undefined) continue;
      if (consequence === 'hard bounce' && !settings.suppressions.stopAfterEvents) continue;
      const at = record.sentAt + afterMs;
      this.#suppress(record, consequence, at, random);
      if (type === 'unsubscribe') {
        const unsubscription: Unsubscription = { accountId: record.mail.accountId, email: record.to };
        clock.plan(at, TASK, unsubscription);
      }
    }
  }

  /** Carries out the decision of a message's reader. A repetition changes nothing. */
  decide(decision: Decision, record: LogRecord, now: number): void {
    if (decision === 'unsubscribe') this.#unsubscribe(record, now);
    else this.#optOut(record, now);
  }

  #unsubscribe(record: LogRecord, now: number): void {
    const { logs, suppressions, sums, sources, streams } = this.#parts;
    const { to: email, mail } = record;
    this.#unsubscribeContact({ accountId: mail.accountId, email }, now);
    if (suppressions.stopping(mail, email, now, 'unsubscription') !== undefined) return;
    this.#suppress(record, 'unsubscription', now, streams.of('messages'));
    const isFirst = !record.course.steps.some(({ type }) => type === 'unsubscribe');
    const step = logs.happen(record, 'unsubscribe', now);
    if (isFirst) sums.happen(record, step);
    sources.happen(record, step, now);
  }

  #optOut({ to: email, mail: { accountId, domainId } }: LogRecord, now: number): void {
    const { optOuts, streams } = this.#parts;
    if (optOuts.covers(email, domainId)) return;
    optOuts.put({ id: streams.of('messages').uuid(), accountId, email, domainId, createdAt: now });
  }

  #suppress({ to, sentAt, mail }: LogRecord, type: SuppressionType, createdAt: number, random: Random): void {
    const { accountId, domainId, stream, from, subject, category, clientIp } = mail;
    this.#parts.suppressions.put({
      id: random.uuid(),
      accountId,
      email: to,
      type,
      stream,
      domainId,
      createdAt,
      cause: { to, sentAt, stream, from, subject, category, clientIp },
    });
  }

  #unsubscribeContact({ accountId, email }: Unsubscription, now: number): void {
    const { contacts } = this.#parts;
    const contact = contacts.withIdOrEmail(accountId, email);
    if (contact?.status !== 'subscribed') return;
    const { fields, listIds } = contact;
    contacts.write(contact, { email: contact.email, fields, listIds, status: 'unsubscribed' }, now);
  }
}
