/** Which records `whyNoMail()` takes from the responses, and in which order. */
import { EmailPlatform } from 'email-platform';
import { whyNoMail } from 'email-platform/diagnose';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { expect, test } from 'vitest';

const ANN = 'ann@example.org';
const FROM = 'hello@mail.example.com';

function setUp(options: ConstructorParameters<typeof EmailPlatform>[0] = {}) {
  const emulator = createEmulator({ seed: 'empty', limits: false });
  const domain = emulator.domains.list().find(({ name }) => name === 'mail.example.com')?.id ?? 0;
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false, ...options });
  return { emulator, client, domain };
}

test('the names of the lists that the contact is on', async () => {
  const { emulator, client } = setUp();
  const lists = [];
  for (const name of ['Gardeners', 'Cooks', 'Divers'])
    lists.push(await client.contacts.lists.create({ name }));
  await client.contacts.create({ email: ANN, list_ids: [lists[0]?.id ?? 0, lists[2]?.id ?? 0] });
  const { contact } = await whyNoMail(client, ANN, { from: FROM });
  expect([...(contact?.lists ?? [])].sort()).toEqual(['Divers', 'Gardeners']);
  await client.contacts.create({ email: 'bob@example.org' });
  const before = emulator.requests.length;
  expect((await whyNoMail(client, 'bob@example.org', { from: FROM })).contact).toMatchObject({
    email: 'bob@example.org',
    lists: [],
  });
  const paths = emulator.requests.slice(before).map(({ path }) => path);
  expect(paths.filter((path) => path.endsWith('/lists'))).toEqual([]);
});

test('the lists are undefined if the token may not read them', async () => {
  const { emulator, client } = setUp();
  const { id } = await client.contacts.lists.create({ name: 'Gardeners' });
  await client.contacts.create({ email: ANN, list_ids: [id] });
  emulator.faults.next({ kind: 'status', status: 403, match: { path: /\/contacts\/lists$/ } });
  const { contact, unreadable } = await whyNoMail(client, ANN, { from: FROM });
  expect(contact).toMatchObject({ email: ANN, lists: undefined });
  expect(unreadable).toEqual(['contacts.lists']);
});

/** An emulator whose lists of suppressions and opt-outs have these entries before their own. */
const withEntries =
  (emulator: Emulator, entries: readonly object[]): typeof fetch =>
  async (input, init) => {
    const response = await emulator.fetch(input, init);
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    if (!/suppressions|tracking_opt_outs/.test(pathname)) return response;
    const body = (await response.json()) as object[] | { data: object[] };
    const added = search.includes('last_id') ? [] : entries;
    const all = Array.isArray(body) ? [...added, ...body] : { ...body, data: [...added, ...body.data] };
    return Response.json(all, { status: 200 });
  };

const entry = {
  id: '64d71bf3-1276-417b-86e1-8e66f138acfe',
  type: 'manual import',
  created_at: '2026-01-02T03:04:05Z',
  email: ANN,
  sending_stream: 'any',
  domain_name: null,
  message_bounce_category: null,
  message_category: null,
  message_client_ip: null,
  message_created_at: null,
  message_esp_response: null,
  message_esp_server_type: null,
  message_outgoing_ip: null,
  message_recipient_mx_name: null,
  message_sender_email: null,
  message_subject: null,
};

test.each([
  ['any stream, no domain', {}, true],
  ['the domain in other letters', { domain_name: 'MAIL.example.com', sending_stream: 'transactional' }, true],
  ['another domain', { domain_name: 'news.example.com' }, false],
  ['another stream', { sending_stream: 'bulk' }, false],
])('a suppression of %s', async (_, fields, blocks) => {
  const { emulator } = setUp();
  const fetch = withEntries(emulator, [{ ...entry, ...fields }]);
  const client = new EmailPlatform({ ...emulator.clientOptions(), fetch, retry: false });
  const { reachable, reasons } = await whyNoMail(client, ANN, { from: FROM });
  expect([reachable, reasons.map((reason) => reason.blocks)]).toEqual([!blocks, [blocks]]);
});

test('entries of another address count for nothing, and letters may be large', async () => {
  const { emulator } = setUp();
  const addresses = ['annika@example.org', 'joann@example.org', `${ANN}.uk`, 'ANN@example.org'];
  const others = addresses.map((email, index) => ({
    ...entry,
    id: `64d71bf3-1276-417b-86e1-8e66f138acf${index}`,
    email,
  }));
  const fetch = withEntries(emulator, others);
  const client = new EmailPlatform({ ...emulator.clientOptions(), fetch, retry: false });
  const { reasons, trackingOptOuts } = await whyNoMail(client, ANN, { from: FROM });
  expect(reasons).toMatchObject([{ kind: 'suppression', suppression: { email: 'ANN@example.org' } }]);
  expect(trackingOptOuts).toMatchObject([{ email: 'ANN@example.org' }]);
  // The service is asked for the address, because a page has not all of them.
  for (const part of ['suppressions', 'tracking_opt_outs']) {
    const asked = emulator.requests.find(({ path }) => path.endsWith(part));
    expect(decodeURIComponent(asked?.query ?? '')).toContain(ANN);
  }
});

test('reasons that block come first, whatever the order of the records', async () => {
  const blocking = { ...entry, sending_stream: 'transactional' };
  const foreign = { ...entry, id: '1e0ddc63-8f4a-4c2f-8ae5-1b6b8cb9c5d2', sending_stream: 'bulk' };
  for (const entries of [
    [blocking, foreign],
    [foreign, blocking],
  ]) {
    const { emulator } = setUp();
    const fetch = withEntries(emulator, entries);
    const client = new EmailPlatform({ ...emulator.clientOptions(), fetch, retry: false });
    const { reasons } = await whyNoMail(client, ANN, { from: FROM });
    expect(reasons.map(({ blocks }) => blocks)).toEqual([true, false]);
  }
});

test('in the sandbox, a suppression blocks nothing', async () => {
  const { emulator } = setUp();
  const fetch = withEntries(emulator, [entry]);
  const sandbox = { stream: 'sandbox', sandboxInboxId: 1 } as const;
  const client = new EmailPlatform({ ...emulator.clientOptions(), ...sandbox, fetch, retry: false });
  const { reasons } = await whyNoMail(client, ANN, { from: FROM });
  expect(reasons.map(({ kind, blocks }) => [kind, blocks])).toEqual([
    ['sandbox', true],
    ['suppression', false],
  ]);
});

test('domains that the token may not read: nothing is known of the sender, nor whether email arrives', async () => {
  const { emulator, client } = setUp();
  emulator.faults.next({ kind: 'status', status: 403, match: { path: /\/sending_domains$/ } });
  const { reachable, reasons, unreadable } = await whyNoMail(client, ANN, { from: FROM });
  expect([reachable, reasons, unreadable]).toEqual([null, [], ['sendingDomains']]);
});

test.each([
  [10, false],
  [11, true],
])(
  'of %d emails in the log, the newest ten are read, and whether there are more is said',
  async (count, hasMore) => {
    const { emulator, client } = setUp();
    for (let sent = 0; sent < count; sent += 1)
      emulator.logs.add({ to: ANN, from: FROM, subject: `${sent}` });
    emulator.logs.add({ to: 'bob@example.org', from: FROM, subject: 'of another one' });
    const { mails, hasMoreMails } = await whyNoMail(client, ANN, { from: FROM });
    expect([mails?.length, hasMoreMails]).toEqual([10, hasMore]);
    expect(mails?.map(({ subject }) => subject)).not.toContain('of another one');
  },
);

test.each([
  ['30 days', undefined, ['of 20 days ago', 'of 5 days ago']],
  ['7 days', 7, ['of 5 days ago']],
  ['60 days', 60, ['of 40 days ago', 'of 20 days ago', 'of 5 days ago']],
])('the log is read as far back as %s', async (_, days, subjects) => {
  const { emulator, client } = setUp();
  for (const ago of [40, 20, 5])
    emulator.logs.add({
      to: ANN,
      from: FROM,
      subject: `of ${ago} days ago`,
      sent_at: new Date(Date.now() - ago * 86_400_000).toISOString(),
    });
  const { mails } = await whyNoMail(client, ANN, { from: FROM, days });
  expect(mails?.map(({ subject }) => subject).sort()).toEqual([...subjects].sort());
});

test('a log that the token may not read has no more emails', async () => {
  const { emulator, client } = setUp();
  emulator.faults.next({ kind: 'status', status: 403, match: { path: '/api/email_logs' } });
  expect(await whyNoMail(client, ANN, { from: FROM })).toMatchObject({
    mails: undefined,
    hasMoreMails: false,
  });
});

test.each([
  /\/suppressions$/,
  /\/tracking_opt_outs$/,
  /\/sending_domains$/,
  /\/email_logs$/,
  /\/email_logs\/.+/,
  /\/contacts\/ann/,
  /\/contacts\/lists$/,
])('an aborted signal ends the request for %s', async (path) => {
  const { emulator, client } = setUp({ timeoutMs: 5_000 });
  const { id } = await client.contacts.lists.create({ name: 'Gardeners' });
  await client.contacts.create({ email: ANN, list_ids: [id] });
  emulator.logs.add({ to: ANN, from: FROM, subject: 'Hi' });
  emulator.faults.next({ kind: 'stall', match: { path } });
  const controller = new AbortController();
  const asking = whyNoMail(client, ANN, { from: FROM, signal: controller.signal });
  // All others have ended by then: nothing of them waits for a clock.
  setTimeout(() => controller.abort(), 200);
  await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  expect(emulator.faults.list()).toEqual([]);
});
