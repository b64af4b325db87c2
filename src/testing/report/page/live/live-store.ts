/** Merges the changes of an emulator into the data of a page. */
import type { ReportData } from '../../data/data.ts';
import type { LiveData } from '../../data/live-data.ts';

interface Item {
  readonly id: string;
}

/** Items by id. A newer item has a higher number. */
class Items<T extends Item> {
  readonly #byId = new Map<string, T>();
  #newest: readonly T[] = [];

  get newest(): readonly T[] {
    return this.#newest;
  }

  /** Adds or replaces items, and removes deleted ones and those numbered below `oldest`. Returns the added items. */
  put(changed: readonly T[], oldest: number | null, deleted: readonly string[] = []): readonly T[] {
    const added = changed.filter(({ id }) => !this.#byId.has(id));
    for (const item of changed) this.#byId.set(item.id, item);
    let removed = deleted.filter((id) => this.#byId.delete(id)).length;
    for (const id of this.#byId.keys()) {
      if (oldest === null || Number(id) >= oldest) continue;
      this.#byId.delete(id);
      removed += 1;
    }
    if (changed.length + removed > 0)
      this.#newest = [...this.#byId.values()].sort((a, b) => Number(b.id) - Number(a.id));
    return added;
  }
}

/** The data of one run of an emulator, as far as the page has received it. */
export class LiveStore {
  readonly run: string;
  readonly #mails = new Items<ReportData['mails'][number]>();
  readonly #requests = new Items<ReportData['requests'][number]>();
  readonly #posts = new Items<ReportData['posts'][number]>();

  constructor(run: string) {
    this.run = run;
  }

  /** Merges a response. Returns the merged data and the added mails. */
  merge({ report, oldest, deleted }: Pick<LiveData, 'report' | 'oldest' | 'deleted'>): {
    readonly data: ReportData;
    readonly added: ReportData['mails'];
  } {
    const added = this.#mails.put(report.mails, oldest.mails, deleted);
    this.#requests.put(report.requests, oldest.requests);
    this.#posts.put(report.posts, oldest.posts);
    const [mails, requests, posts] = [this.#mails.newest, this.#requests.newest, this.#posts.newest];
    return { data: { ...report, mails, requests, posts }, added };
  }
}

/** The announcement of new mails for a screen reader. */
export function arrivalOf(added: ReportData['mails']): string {
  const [mail] = added;
  if (mail === undefined) return '';
  return added.length > 1 ? `${added.length} new emails` : `New email: ${mail.subject}, to ${mail.to}`;
}
