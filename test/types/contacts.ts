import type { ApiPromise, EmailPlatform, Pager } from 'email-platform';

export function right(
  client: EmailPlatform,
  generate: AsyncIterable<EmailPlatform.ContactImportItem>,
): unknown[] {
  const { contacts, suppressions, trackingOptOuts, stats } = client;
  const one: ApiPromise<EmailPlatform.Contact> = contacts.create({
    email: 'a@b.c',
    fields: { a: 1, b: null },
    list_ids: [1],
  });
  const updated: ApiPromise<EmailPlatform.ContactUpdateResult> = contacts.update('a@b.c', {
    unsubscribed: true,
  });
  const lists: Pager<EmailPlatform.ContactList> = contacts.lists.list({ search: 'x' }, { priority: 'low' });
  const ensured: Promise<EmailPlatform.ContactList> = contacts.lists.ensure('Readers', {
    signal: AbortSignal.timeout(1),
  });
  const field: Promise<EmailPlatform.ContactField> = contacts.fields.ensure({
    name: 'City',
    data_type: 'text',
    merge_tag: 'city',
  });
  const ended: Promise<EmailPlatform.ContactImport> = contacts.imports.waitUntilFinished(5, {
    pollMs: 500,
    onProgress: ({ status }) => status.length,
  });
  const run: AsyncGenerator<EmailPlatform.ImportOutcome, void, undefined> = contacts.imports.run(generate, {
    contactsPerImport: 1000,
    onProgress: ({ finished }) => finished.toFixed(),
  });
  const exported: ApiPromise<EmailPlatform.ContactExport> = contacts.exports.create({
    filters: [
      { name: 'list_id', operator: 'equal', value: [1] },
      { name: 'subscription_status', operator: 'equal', value: 'subscribed' },
    ],
  });
  const file: Promise<ReadableStream<Uint8Array>> = contacts.exports.download(6, { deadlineMs: 60_000 });
  const suppressed: Pager<EmailPlatform.Suppression> = suppressions.list({
    start_time: new Date(),
    last_id: 'x',
  });
  const optOuts: Pager<EmailPlatform.TrackingOptOut, EmailPlatform.TrackingOptOutPage> = trackingOptOuts.list(
    { email: 'a@b.c' },
  );
  const days = { start_date: '2026-03-01', end_date: '2026-03-07' };
  const figures: ApiPromise<EmailPlatform.EmailStats> = stats.get({ ...days, sending_streams: ['bulk'] });
  const domains: ApiPromise<EmailPlatform.DomainStats[]> = stats.byDomain({ ...days, domain_ids: [1] });
  return [
    one,
    updated,
    lists,
    ensured,
    field,
    ended,
    run,
    exported,
    file,
    suppressed,
    optOuts,
    figures,
    domains,
  ];
}

/** The status of an outcome tells what else is there. */
export function told(outcome: EmailPlatform.ImportOutcome): number | string | undefined {
  switch (outcome.status) {
    case 'finished':
    case 'failed':
      return outcome.import.id;
    case 'rejected':
      return outcome.errors[0]?.email ?? outcome.error.status;
    case 'not_sent':
      return outcome.error.code;
    case 'unknown':
      return outcome.import?.id;
  }
}

export const wrong = ({ contacts, suppressions, trackingOptOuts, stats }: EmailPlatform): unknown[] => [
  // @ts-expect-error a name is text
  contacts.lists.ensure({ name: 'Readers' }),
  // @ts-expect-error an address is required
  contacts.create({ fields: {} }),
  // @ts-expect-error a value is a scalar
  contacts.create({ email: 'a@b.c', fields: { born: new Date() } }),
  // @ts-expect-error create has `list_ids`, update has `list_ids_included`
  contacts.update('a@b.c', { list_ids: [1] }),
  // @ts-expect-error a contact's id is a UUID
  contacts.get(5),
  // @ts-expect-error the contact is under `data`
  ({} as EmailPlatform.ContactUpdateResult).email,
  // @ts-expect-error a list's id is a number
  contacts.lists.get('5'),
  // @ts-expect-error the type of a field cannot change
  contacts.fields.update(5, { data_type: 'text' }),
  // @ts-expect-error a contact has an address
  contacts.imports.create({ contacts: [{ name: 'Ann' }] }),
  // @ts-expect-error not a stream of contacts
  contacts.imports.run(new ReadableStream<string>()),
  // @ts-expect-error a list filter takes ids
  contacts.exports.create({ filters: [{ name: 'list_id', operator: 'equal', value: 'subscribed' }] }),
  // @ts-expect-error the stream is required
  suppressions.create({ email: 'a@b.c', domain_id: 1 }),
  // @ts-expect-error a suppression is created for one stream; only responses have `any`
  suppressions.create({ email: 'a@b.c', domain_id: 1, sending_stream: 'any' }),
  // @ts-expect-error there is no such stream
  suppressions.create({ email: 'a@b.c', domain_id: 1, sending_stream: 'all' }),
  // @ts-expect-error an id is a UUID
  suppressions.delete(5),
  // @ts-expect-error opt-outs have no stream
  trackingOptOuts.create({ email: 'a@b.c', domain_id: 1, sending_stream: 'any' }),
  // @ts-expect-error both dates are required
  stats.get({ start_date: '2026-03-01' }),
  // @ts-expect-error the name without an account is the name everywhere
  stats.get({ start_date: '2026-03-01', end_date: '2026-03-01', sending_domain_ids: [1] }),
];
