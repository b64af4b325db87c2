import type { ReportMail, ReportRequest } from './data/data.ts';
import type { Due, Found, LiveData, LiveState } from './data/live-data.ts';
import { randomSecret } from '../encoding/random-secret.ts';
import { Waiters } from '../common/waiters.ts';
import { realTime } from '../../kit/real-time.ts';
import { hasWords, partsOfMail, partsOfRequest, searchedText, wordsOf } from './data/words.ts';
import { headersOf } from '../service/state/emails/eml.ts';
import { idsOfMails, mailsByRequest, postOf, reportDataOf, requestOf } from './collect/collect.ts';
import { attachmentOf, envelopeOf, eventsOf, mailOf, previewAtOnce } from './collect/mail-of.ts';
import { operationNames } from './collect/operation-of.ts';
import { runningProgram } from './collect/run-of.ts';
import type { Recorder } from './records/recorder.ts';
import type { SeenMail } from './records/seen.ts';

/** The most items of one response. The page shows them and requests the next ones. */
const MOST = 2_000;
/** The number of newest emails in the first of several responses: the page shows them before it loads the others. */
const FIRST = 100;
/** The most characters of a text in a list. */
const EXCERPT = 1_000;

/** Serves the changes of a recorder to the live page. */
export class LiveReport {
  readonly #recorder: Recorder;
  readonly #stateOf: () => LiveState;
  readonly #waiters = new Waiters<undefined>();
  readonly #run = randomSecret('');
  readonly #operationOf = operationNames();
  /** The number of events of each mail when it was listed as changed. */
  readonly #noted = new WeakMap<SeenMail, number>();

  constructor(recorder: Recorder, stateOf: () => LiveState) {
    this.#recorder = recorder;
    this.#stateOf = stateOf;
    recorder.onChange(() => this.#waiters.tell(undefined));
  }

  /** Resolves with the changes since a cursor. Without changes, waits for the next change, `waitMs` at most. */
  async changes(since: string, waitMs: number, signal: AbortSignal): Promise<LiveData> {
    this.#noteEvents();
    const from = this.#versionOf(since);
    if (from === this.#recorder.version) {
      await this.#waiters.wait(() => true, waitMs, signal);
      // A request is recorded before its emails: one response has both.
      await realTime.sleep(1, signal);
    }
    this.#noteEvents();
    return this.#after(from, !since.startsWith(`${this.#run}.`));
  }

  /** Counts the events of mails and the posts after `from`, up to `to`, on the emulator's clock. */
  due(from: number, to: number): Due {
    const isIn = (at: number) => at > from && at <= to;
    const { mails, posts } = this.#recorder;
    const events = mails.all
      .filter(({ era }) => era.endedAt === undefined)
      .flatMap(({ record }) => record?.course.steps.map(({ afterMs }) => record.sentAt + afterMs) ?? []);
    return {
      events: events.filter(isIn).length,
      posts: posts.all.filter(({ post }) => isIn(post.at)).length,
    };
  }

  /** Finds mails and requests with all words, in their whole contents. */
  found(text: string): Found {
    const words = wordsOf(text);
    const fits = (parts: readonly (string | null)[]) => hasWords(searchedText(parts), words);
    const { mails, requests } = this.#recorder;
    return {
      mails: mails.all.flatMap((seen) => {
        const { mail, id, at } = seen.copy;
        const headers = headersOf(mail, `<${id}>`, at);
        const whole = { ...this.#listed(seen), html: mail.html, text: mail.text, headers };
        return fits(partsOfMail(whole, seen.kind().name)) ? [whole.id] : [];
      }),
      requests: requests.all.flatMap((seen) =>
        fits(partsOfRequest(requestOf(seen, this.#operationOf, []))) ? [String(seen.id)] : [],
      ),
    };
  }

  /** Deletes a mail from the page and from reports. Returns whether it was there. */
  remove(id: string): boolean {
    const seen = this.#seenMail(id);
    if (seen !== undefined) this.#recorder.forget(seen);
    return seen !== undefined;
  }

  /** Takes the last deletion back. Returns whether it was of this mail. */
  restore(id: string): boolean {
    return this.#recorder.restore(id);
  }

  /** Counts the mails to which something has happened since they were listed as changed. */
  #noteEvents(): void {
    const { now } = this.#stateOf().clock;
    for (const seen of this.#recorder.mails.all) {
      const count = eventsOf(seen, now).length;
      if (count === (this.#noted.get(seen) ?? 0)) continue;
      this.#noted.set(seen, count);
      this.#recorder.changed(seen);
    }
  }

  /** A mail with its contents. */
  mail(id: string): ReportMail | undefined {
    const seen = this.#seenMail(id);
    return seen && mailOf(seen, this.#stateOf().clock.now);
  }

  /** A mail as it was accepted. */
  #seenMail(id: string): SeenMail | undefined {
    return this.#recorder.mails.all.findLast(({ number }) => String(number) === id);
  }

  /** A request with its details. */
  request(id: string): ReportRequest | undefined {
    const seen = this.#recorder.requests.all.findLast((one) => String(one.id) === id);
    if (seen === undefined) return undefined;
    const sent = this.#recorder.mails.all.filter(({ request }) => request === seen);
    return requestOf(
      seen,
      this.#operationOf,
      sent.map(({ number }) => String(number)),
    );
  }

  /** The version of a cursor; 0 for a cursor of another run. */
  #versionOf(cursor: string): number {
    const [run, version] = cursor.split('.');
    return run === this.#run ? Math.min(Number(version) || 0, this.#recorder.version) : 0;
  }

  #after(from: number, isFirst: boolean): LiveData {
    const { mails, requests, posts, version, forgotten } = this.#recorder;
    const [allMails, allRequests, allPosts] = [mails.all, requests.all, posts.all];
    const versions = [...allMails, ...allRequests, ...allPosts, ...forgotten]
      .flatMap((item) => (item.version > from ? [item.version] : []))
      .sort((a, b) => a - b);
    const isLong = versions.length > MOST;
    const first = isFirst && isLong ? new Set<unknown>(allMails.slice(-FIRST)) : undefined;
    const to = first !== undefined ? from : isLong ? (versions[MOST - 1] ?? version) : version;
    const isIn = (item: { readonly version: number }) =>
      first?.has(item) ?? (item.version > from && item.version <= to);
    const newest = <Item extends { readonly version: number }>(all: readonly Item[]) =>
      all.filter(isIn).reverse();
    const sent = mailsByRequest(allMails);
    const mailIds = idsOfMails(allMails);
    const data = reportDataOf(this.#recorder, {
      omitted: { mails: mails.omitted, requests: requests.omitted },
      mails: newest(allMails).map((seen) => this.#listed(seen)),
      requests: newest(allRequests).map((seen) => ({
        ...requestOf(seen, this.#operationOf, sent.get(seen) ?? []),
        details: null,
      })),
      posts: newest(allPosts).map((seen) => ({ ...postOf(seen, mailIds), redeliver: seen.post.id })),
    });
    const report = { ...data, run: { ...runningProgram(), ...data.run } };
    return {
      run: this.#run,
      cursor: `${this.#run}.${to}`,
      more: to < version,
      deleted: forgotten.filter(isIn).map(({ number }) => String(number)),
      report,
      oldest: {
        mails: mails.oldest?.number ?? null,
        requests: requests.omitted + 1,
        posts: posts.omitted + 1,
      },
      ...this.#stateOf(),
    };
  }

  /** A mail without its contents, because the contents of a thousand mails a second would stall the page. */
  #listed(seen: SeenMail): ReportMail {
    const { mail } = seen.copy;
    return {
      ...envelopeOf(seen),
      html: null,
      text: mail.text === null ? null : mail.text.slice(0, EXCERPT),
      preview: previewAtOnce(mail),
      headers: [],
      source: null,
      attachments: mail.attachments.map((one) => ({ ...attachmentOf(one), content: null })),
      links: [],
      events: eventsOf(seen, this.#stateOf().clock.now),
    };
  }
}
