import { BLANK, FieldErrors } from '../../wire/fields.ts';
import { arrayOf, fits, plainObject } from '../../../declare/kind.ts';
import { iso } from '../../../encoding/iso.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { created, notFound, ok, Refusal, unprocessable } from '../../wire/reply.ts';
import type { World } from '../../state/world.ts';
import { CONTACTS, emailError, readContact } from '../../state/audience/contact-input.ts';
import { readFilters } from '../../state/audience/contact-exports.ts';
import type { JobRecord } from '../../state/audience/contact-jobs.ts';
import type { ContactStore } from '../../state/audience/contacts.ts';

const MAX_IMPORTED = 50_000;

const contactList = arrayOf('contacts', plainObject);

type Fields = Readonly<Record<string, unknown>>;

/** The path of an exported file in the storage. */
const filePath = (id: number) => `/contacts/${id}.csv.gz`;

/** The endpoints of imports and exports. */
export function jobRoutes({ contacts, contactJobs: jobs, storage, settings }: World) {
  const found = ({ params, token }: Exchange, kind: 'import' | 'filters'): JobRecord => {
    const job = jobs.find(token.accountId, Number(params.id));
    // oxlint-disable-next-line typescript/prefer-optional-chain -- `job?.[kind] === null` is false without a job
    if (job === undefined || job[kind] === null) throw notFound();
    return job;
  };
  const exportView = ({ id, status, createdAt, updatedAt }: JobRecord, { origin, now }: Exchange) => ({
    id,
    status,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    url: status === 'finished' ? storage.link(origin, filePath(id), now + settings.contacts.fileUrlMs) : null,
  });
  return [
    route('POST /contacts/imports', CONTACTS, ({ body, token, now }) => {
      const input = importedContacts(body().contacts, contacts, token.accountId);
      return created(importView(jobs.addImport(token.accountId, input, now)));
    }),
    route('GET /contacts/imports/{id}', CONTACTS, (exchange) => ok(importView(found(exchange, 'import')))),
    route('POST /contacts/exports', CONTACTS, (exchange) => {
      const { accountId } = exchange.token;
      const filters = readFilters(exchange.body().filters ?? []);
      const isBusy = jobs
        .of(accountId)
        .some(({ status, filters: wanted }) => wanted !== null && status !== 'finished');
      if (isBusy) throw unprocessable({ base: ['Another export is in progress'] });
      return created(exportView(jobs.addExport(accountId, filters, exchange.now), exchange));
    }),
    route('GET /contacts/exports/{id}', { ...CONTACTS, inferred: 'the columns of the file' }, (exchange) =>
      ok(exportView(found(exchange, 'filters'), exchange)),
    ),
  ];
}

function importView({ id, status, import: imported }: JobRecord): Record<string, unknown> {
  if (status !== 'finished') return { id, status };
  return {
    id,
    status,
    created_contacts_count: imported?.counts.created,
    updated_contacts_count: imported?.counts.updated,
    contacts_over_limit_count: imported?.counts.overLimit,
  };
}

/** The contacts to import. If one is invalid, refuses all, with the errors of each. */
function importedContacts(input: unknown, store: ContactStore, accountId: number): readonly Fields[] {
  if (!fits(contactList, input) || input.length === 0) throw unprocessable({ contacts: [BLANK] });
  if (input.length > MAX_IMPORTED) {
    throw unprocessable({ contacts: [`is too long (maximum is ${MAX_IMPORTED} contacts)`] });
  }
  const refused = input.flatMap((contact) => {
    const errors = new FieldErrors();
    const { email } = contact;
    const current =
      emailError(email) === undefined ? store.withIdOrEmail(accountId, String(email)) : undefined;
    readContact(contact, current, store, accountId, errors);
    return errors.any ? [{ email: email ?? null, errors: errors.all }] : [];
  });
  if (refused.length > 0) throw new Refusal({ status: 422, json: { errors: refused } });
  return input;
}
