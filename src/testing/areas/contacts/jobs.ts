import type { VirtualClock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import { created, notFound, ok, Refusal, unprocessable, type Exchange } from '../../route.ts';
import type { SignedStorage, StoredFile } from '../../storage.ts';
import { FieldErrors } from '../field-errors.ts';
import type { ContactEndpoint } from './endpoint.ts';
import { contactsFile } from './file.ts';
import { emailError, readContact } from './input.ts';
import type { ContactOptions } from './options.ts';
import type { ContactRecord, ContactStore } from './store.ts';

const MAX_IMPORTED = 50_000;

type Status = 'created' | 'started' | 'finished';

/** An import or an export. */
interface Job {
  readonly id: number;
  readonly accountId: number;
  readonly createdAt: number;
  updatedAt: number;
  status: Status;
}

interface ImportJob extends Job {
  counts: { created: number; updated: number; overLimit: number };
}

interface ExportJob extends Job {
  file: StoredFile | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** All imports and exports. The clock starts and finishes them. */
export class ContactJobs {
  readonly #parts: { store: ContactStore; clock: VirtualClock; random: Random };
  readonly options: ContactOptions;
  readonly imports = new Map<number, ImportJob>();
  readonly exports = new Map<number, ExportJob>();
  #nextId = 7001;

  constructor(
    parts: { readonly store: ContactStore; readonly clock: VirtualClock; readonly random: Random },
    options: ContactOptions,
  ) {
    this.#parts = parts;
    this.options = options;
  }

  get store(): ContactStore {
    return this.#parts.store;
  }

  addImport(accountId: number, contacts: readonly Fields[], now: number): ImportJob {
    const job: ImportJob = { ...this.#job(accountId, now), counts: { created: 0, updated: 0, overLimit: 0 } };
    this.imports.set(job.id, job);
    this.#run(job, this.options.importMs, (at) => {
      for (const contact of contacts) job.counts[this.#import(accountId, contact, at)] += 1;
    });
    return job;
  }

  addExport(accountId: number, isWanted: (contact: ContactRecord) => boolean, now: number): ExportJob {
    const job: ExportJob = { ...this.#job(accountId, now), file: undefined };
    this.exports.set(job.id, job);
    this.#run(job, this.options.exportMs, () => {
      const { store } = this.#parts;
      const tags = store.fields(accountId).map(({ mergeTag }) => mergeTag);
      job.file = contactsFile(store.of(accountId).filter(isWanted), tags);
    });
    return job;
  }

  #job(accountId: number, now: number): Job {
    const id = this.#nextId;
    this.#nextId += 1;
    return { id, accountId, createdAt: now, updatedAt: now, status: 'created' };
  }

  /** The job starts halfway through its time, and does its work at the end. */
  #run(job: Job, ms: number, work: (at: number) => void): void {
    const { clock } = this.#parts;
    const enter = (status: Status, at: number) => {
      job.status = status;
      job.updatedAt = at;
    };
    clock.at(job.createdAt + ms / 2, (at) => enter('started', at));
    clock.at(job.createdAt + ms, (at) => {
      work(at);
      enter('finished', at);
    });
  }

  #import(accountId: number, given: Fields, now: number): keyof ImportJob['counts'] {
    const { store, random } = this.#parts;
    const current = store.find(accountId, String(given.email));
    if (current === undefined && store.count(accountId) >= this.options.max) return 'overLimit';
    // What was right when the import was accepted may refer to a list that was deleted since: it is left out.
    const written = readContact(given, current, store, accountId, new FieldErrors());
    if (current === undefined) {
      store.add({ id: random.uuid(), accountId, createdAt: now, updatedAt: now, ...written });
      return 'created';
    }
    store.write(current, written, now);
    return 'updated';
  }
}

/** The path of an exported file in the storage. */
const filePath = (id: number) => `/contacts/${id}.csv.gz`;

/** The exported file with this path in the storage. */
export function exportedFile(jobs: ContactJobs, path: string): StoredFile | undefined {
  const id = /^\/contacts\/(\d+)\.csv\.gz$/.exec(path)?.[1];
  return jobs.exports.get(Number(id))?.file;
}

/** The endpoints of imports and exports. */
export function jobEndpoints(jobs: ContactJobs, storage: SignedStorage): readonly ContactEndpoint[] {
  const { store, options } = jobs;
  const exportView = (job: ExportJob, { origin, now }: Exchange) => ({
    id: job.id,
    status: job.status,
    created_at: new Date(job.createdAt).toISOString(),
    updated_at: new Date(job.updatedAt).toISOString(),
    url: job.status === 'finished' ? storage.link(origin, filePath(job.id), now + options.fileUrlMs) : null,
  });
  return [
    {
      tail: '/imports',
      method: 'POST',
      handler: ({ body, token, now }) => {
        const contacts = importedContacts(body().contacts, store, token.accountId);
        return created(importView(jobs.addImport(token.accountId, contacts, now)));
      },
    },
    {
      tail: '/imports/:id',
      method: 'GET',
      handler: (exchange) => ok(importView(found(jobs.imports, exchange))),
    },
    {
      tail: '/exports',
      method: 'POST',
      handler: (exchange) => {
        const { accountId } = exchange.token;
        const isWanted = filterOf(exchange.body().filters ?? []);
        const isBusy = [...jobs.exports.values()].some(
          (job) => job.accountId === accountId && job.status !== 'finished',
        );
        if (isBusy) throw unprocessable({ base: ['Another export is in progress'] });
        return created(exportView(jobs.addExport(accountId, isWanted, exchange.now), exchange));
      },
    },
    {
      tail: '/exports/:id',
      method: 'GET',
      handler: (exchange) => ok(exportView(found(jobs.exports, exchange), exchange)),
    },
  ];
}

function found<J extends Job>(jobs: ReadonlyMap<number, J>, { params, token }: Exchange): J {
  const job = jobs.get(Number(params.id));
  if (job?.accountId !== token.accountId) throw notFound();
  return job;
}

function importView({ id, status, counts }: ImportJob): Record<string, unknown> {
  if (status !== 'finished') return { id, status };
  return {
    id,
    status,
    created_contacts_count: counts.created,
    updated_contacts_count: counts.updated,
    contacts_over_limit_count: counts.overLimit,
  };
}

/** The contacts to import. If one of them is invalid, all are refused, with the errors of each. */
function importedContacts(given: unknown, store: ContactStore, accountId: number): readonly Fields[] {
  const isList = Array.isArray(given) && given.length > 0 && given.every(isObject);
  if (!isList) throw unprocessable({ contacts: ["can't be blank"] });
  if (given.length > MAX_IMPORTED) {
    throw unprocessable({ contacts: [`is too long (maximum is ${MAX_IMPORTED} contacts)`] });
  }
  const refused = (given as Fields[]).flatMap((contact) => {
    const errors = new FieldErrors();
    const { email } = contact;
    const current = emailError(email) === undefined ? store.find(accountId, String(email)) : undefined;
    readContact(contact, current, store, accountId, errors);
    return Object.keys(errors.all).length === 0 ? [] : [{ email: email ?? null, errors: errors.all }];
  });
  if (refused.length > 0) throw new Refusal({ status: 422, json: { errors: refused } });
  return given as Fields[];
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Which contacts the filters want. The service reports an error in them as a text, not as a list. */
function filterOf(given: unknown): (contact: ContactRecord) => boolean {
  const tests = Array.isArray(given) ? given.map(testOf) : [];
  if (!Array.isArray(given) || tests.includes(undefined)) {
    throw new Refusal({ status: 422, json: { errors: { filters: 'invalid' } } });
  }
  return (contact) => tests.every((test) => test?.(contact));
}

function testOf(filter: unknown): ((contact: ContactRecord) => boolean) | undefined {
  const { name, operator, value } = Object(filter) as Fields;
  if (operator !== 'equal') return undefined;
  if (name === 'list_id' && Array.isArray(value) && value.every((id) => Number.isSafeInteger(id))) {
    return ({ listIds }) => listIds.some((id) => value.includes(id));
  }
  if (name === 'subscription_status' && (value === 'subscribed' || value === 'unsubscribed')) {
    return ({ status }) => status === value;
  }
  return undefined;
}
