import { FieldErrors } from '../../wire/fields.ts';
import type { VirtualClock } from '../base/clock.ts';
import { gzip } from '../../../encoding/gzip.ts';
import type { State } from '../base/state.ts';
import type { StoredFile } from '../account/storage.ts';
import type { Streams } from '../base/streams.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';
import { contactsCsv, type ExportFilter, meets } from './contact-exports.ts';
import { readContact } from './contact-input.ts';
import type { ContactSettings, ContactStore } from './contacts.ts';

type Status = 'created' | 'started' | 'finished';
type Fields = Readonly<Record<string, unknown>>;

interface Counts {
  created: number;
  updated: number;
  overLimit: number;
}

/** An import or an export. */
export interface JobRecord extends Row<number> {
  readonly createdAt: number;
  updatedAt: number;
  status: Status;
  /** The imported contacts, and the counts of the results; `null` for an export. */
  readonly import: { readonly contacts: readonly Fields[]; readonly counts: Counts } | null;
  /** The filters of the exported contacts; `null` for an import. */
  readonly filters: readonly ExportFilter[] | null;
  /** The exported file, once there is one. */
  csv: string | null;
}

/** The parts that imports and exports need. */
export interface ContactJobParts {
  readonly state: State;
  readonly clock: VirtualClock;
  readonly streams: Streams;
  readonly settings: { readonly contacts: ContactSettings };
  readonly contacts: ContactStore;
}

/** A planned transition of a job. */
interface Planned {
  readonly id: number;
  readonly then: 'start' | 'finish';
}

/** All imports and exports. The clock starts and finishes them. */
export class ContactJobs extends Table<JobRecord> {
  readonly #parts: ContactJobParts;

  constructor(parts: ContactJobParts) {
    super(parts.state.part('contact jobs', emptyTable<JobRecord>(7001)));
    this.#parts = parts;
    parts.clock.on('contact job', ({ id, then }: Planned, at) => this.#happen(id, then, at));
  }

  addImport(accountId: number, contacts: readonly Fields[], now: number): JobRecord {
    const counts = { created: 0, updated: 0, overLimit: 0 };
    const { importMs } = this.#parts.settings.contacts;
    return this.#add(accountId, { import: { contacts, counts }, filters: null }, importMs, now);
  }

  addExport(accountId: number, filters: readonly ExportFilter[], now: number): JobRecord {
    return this.#add(accountId, { import: null, filters }, this.#parts.settings.contacts.exportMs, now);
  }

  /** The exported file with this path in the storage. */
  file(path: string): StoredFile | undefined {
    const id = /^\/contacts\/(\d+)\.csv\.gz$/.exec(path)?.[1];
    const csv = this.anywhere(Number(id))?.csv ?? null;
    return csv === null ? undefined : { type: 'application/gzip', body: gzip(new TextEncoder().encode(csv)) };
  }

  /** The job starts halfway through its time, and does its work at the end. */
  #add(accountId: number, what: Pick<JobRecord, 'import' | 'filters'>, ms: number, now: number): JobRecord {
    const made = this.insert({
      accountId,
      createdAt: now,
      updatedAt: now,
      status: 'created',
      ...what,
      csv: null,
    });
    const { clock } = this.#parts;
    clock.plan(now + ms / 2, 'contact job', { id: made.id, then: 'start' } satisfies Planned);
    clock.plan(now + ms, 'contact job', { id: made.id, then: 'finish' } satisfies Planned);
    return made;
  }

  #happen(id: number, then: Planned['then'], at: number): void {
    const record = this.anywhere(id);
    if (record === undefined) return;
    if (then === 'finish') this.#finish(record, at);
    record.status = then === 'start' ? 'started' : 'finished';
    record.updatedAt = at;
  }

  #finish(record: JobRecord, at: number): void {
    const { accountId, filters } = record;
    for (const contact of record.import?.contacts ?? []) {
      const outcome = this.#import(accountId, contact, at);
      if (record.import !== null) record.import.counts[outcome] += 1;
    }
    if (filters === null) return;
    const { contacts } = this.#parts;
    const tags = contacts.fields.of(accountId).map(({ mergeTag }) => mergeTag);
    record.csv = contactsCsv(contacts.of(accountId).filter(meets(filters)), tags);
  }

  #import(accountId: number, input: Fields, now: number): keyof Counts {
    const { contacts, streams, settings } = this.#parts;
    const current = contacts.withIdOrEmail(accountId, String(input.email));
    if (current === undefined && contacts.count(accountId) >= settings.contacts.max) return 'overLimit';
    // Ignores new errors: a list may have been deleted since the import was accepted. The contact is then not on it.
    const written = readContact(input, current, contacts, accountId, new FieldErrors());
    if (current === undefined) {
      const id = streams.of('contacts').uuid();
      contacts.put({ id, accountId, createdAt: now, updatedAt: now, ...written });
      return 'created';
    }
    contacts.write(current, written, now);
    return 'updated';
  }
}
