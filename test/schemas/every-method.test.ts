import {
  EmailPlatform,
  type CompanyInfoCreateParams,
  type EmailPlatformOptions,
  type ResponseSchemaName,
  type ResponseSchemas,
  type StandardSchema,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { endpoints, type DeclaredEndpoint } from '../../src/resources/endpoints.ts';
import { recordedShapes } from '../spec/recorded-shapes.ts';
import { receivedShapes, recordedTypes } from '../spec/recorded-shapes-received.ts';
import { BESIDES, SIGNED, surface } from '../spec/surface.ts';
import { callMethod, paramsOf, pathArgumentsOf } from '../support/endpoint-calls.ts';
import {
  endpointOf,
  recordingFetch,
  type Family,
  type RecordedExchange,
} from '../support/recorded-exchanges.ts';
import { resourceMethods } from '../support/resource-methods.ts';
import { differences } from '../support/shape.ts';
import { examples } from './examples.ts';

const from = { email: 'hello@mail.example.com' };
const mail = { from, to: [{ email: 'ann@example.org' }], subject: 'Hi', text: 'Hello' };

/** The schemas; adds the name of each that is used to `used`. */
function recorded(used: Set<string>): ResponseSchemas {
  const entries = Object.entries<StandardSchema>(schemas).map(([name, schema]) => {
    const standard = schema['~standard'];
    const validate = (value: unknown) => {
      used.add(name);
      return standard.validate(value);
    };
    return [name, { '~standard': { ...standard, validate } }] as const;
  });
  return Object.fromEntries<StandardSchema>(entries);
}

async function callCampaigns({ campaigns }: EmailPlatform, domain_id: number): Promise<void> {
  const template_attributes = { subject: 'Hello', body_html: '<p>Hello</p>' };
  const params = { name: 'Spring', domain_id, from_local_part: 'news', template_attributes };
  const first = await campaigns.create(params);
  await campaigns.update(first.id, { contact_list_ids: [1], reply_to: { local_part: 'help' } });
  for (const back of ['cancel', 'reset'] as const) {
    await campaigns.schedule(first.id, { datetime: new Date(Date.now() + 3_600_000) });
    await campaigns[back](first.id);
  }
  await campaigns.start(first.id);
  await campaigns.stats(first.id);
  await campaigns.terminate(first.id);
  await campaigns.delete((await campaigns.create(params)).id);
  for (const { id } of await campaigns.list().toArray()) await campaigns.get(id);
}

async function callSending({ sending }: EmailPlatform): Promise<void> {
  const requests = [mail, { ...mail, to: [] }];
  for (const stream of ['transactional', 'bulk', 'sandbox'] as const) {
    await sending.send(mail, { stream });
    const { responses } = await sending.batch({ requests }, { stream });
    expect(responses.map(({ success }) => success)).toEqual([true, false]);
    for await (const { status } of sending.batchAll([mail], { stream })) expect(status).toBe('accepted');
  }
}

async function callEmailLogs({ emailLogs }: EmailPlatform, accountId: number): Promise<void> {
  for (const options of [{}, { accountId }]) {
    const messages = await emailLogs.list({}, options).toArray({ limit: 300 });
    for (const { message_id } of messages) await emailLogs.get(message_id, options);
    const [message] = messages;
    await emailLogs.downloadRaw(await emailLogs.get(message?.message_id ?? '', options));
  }
}

async function callContacts({ contacts }: EmailPlatform, emulator: Emulator): Promise<void> {
  const { lists, fields, imports, exports } = contacts;
  const list = await lists.create({ name: 'Readers' });
  await lists.update(list.id, { name: 'All readers' });
  await lists.get(list.id);
  await lists.list({ search: 'all' });
  const field = await fields.create({ name: 'Age', data_type: 'integer', merge_tag: 'age' });
  await fields.update(field.id, { name: 'Years' });
  await fields.get(field.id);
  await fields.list();

  const email = 'schemas@example.org';
  const { id } = await contacts.create({ email, fields: { age: 40 }, list_ids: [list.id] });
  await contacts.get(id);
  await contacts.update(email, { unsubscribed: true });
  await contacts.update('upsert@example.org', { list_ids_included: [list.id] });
  await contacts.createEvent(email, { name: 'Bought', params: { amount: 12.5, gift: null } });
  await contacts.delete(id);

  const begun = await imports.create({ contacts: [{ email, fields: { age: 41 } }] });
  await imports.get(begun.id);
  const first = await exports.create({ filters: [{ name: 'list_id', operator: 'equal', value: [list.id] }] });
  await exports.get(first.id);
  emulator.clock.advance(2000);
  expect(await imports.get(begun.id)).toMatchObject({ status: 'finished', created_contacts_count: 1 });
  expect((await exports.get(first.id)).url).toMatch(/^http/);
  await lists.delete(list.id);
  await fields.delete(field.id);
}

async function callSuppressions(
  { suppressions, trackingOptOuts }: EmailPlatform,
  domain_id: number,
): Promise<void> {
  const address = { email: 'schemas@example.org', domain_id };
  const suppression = await suppressions.create({ ...address, sending_stream: 'transactional' });
  await suppressions.list().toArray();
  await suppressions.delete(suppression.id);
  const optOut = await trackingOptOuts.create(address);
  await trackingOptOuts.list().toArray();
  await trackingOptOuts.delete(optOut.id);
}

async function callStats({ stats }: EmailPlatform): Promise<void> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const params = { start_date: day(9), end_date: day(0) };
  expect((await stats.get(params)).delivery_count).toBeGreaterThan(0);
  for (const by of ['byDomain', 'byCategory', 'byEmailServiceProvider', 'byDate'] as const) {
    expect((await stats[by](params)).length).toBeGreaterThan(1);
  }
}

async function callSandbox({ sandbox, sending }: EmailPlatform, inbox: number): Promise<void> {
  const { projects, inboxes, messages, attachments } = sandbox;
  const project = await projects.create({ name: 'Shop' });
  await projects.update(project.id, { name: 'The shop' });
  const other = await inboxes.create(project.id, { name: 'Signup', project_id: project.id });
  expect((await projects.get(project.id)).inboxes).toMatchObject([{ id: other.id }]);
  await projects.list();
  await inboxes.update(other.id, { email_username: 'signup' });
  for (const act of [
    'markAllRead',
    'resetCredentials',
    'toggleEmailAddress',
    'resetEmailAddress',
    'clean',
  ] as const)
    await inboxes[act](other.id);
  await inboxes.get(other.id);
  await inboxes.delete(other.id);
  await projects.delete(project.id);

  const content = 'AAEC/w==';
  await sending.send(
    { ...mail, html: '<p>Hello</p>', attachments: [{ filename: 'a.bin', content }] },
    { stream: 'sandbox' },
  );
  const { id } = await messages.waitFor({ inbox, subject: 'Hi' });
  expect((await messages.list(inbox).toArray())[0]).toEqual(await messages.get(inbox, id));
  await messages.list(inbox, { page: 1 });
  await inboxes.list();
  await messages.markRead(inbox, id);
  await messages.forward(inbox, id, { email: 'ops@example.com' });
  await messages.spamReport(inbox, id);
  await messages.htmlAnalysis(inbox, id);
  expect(await messages.headers(inbox, id)).toMatchObject({ subject: 'Hi' });
  for (const body of ['text', 'html', 'htmlSource', 'raw', 'eml'] as const) await messages[body](inbox, id);
  for (const one of await attachments.list(inbox, id).toArray())
    await attachments.download(await attachments.get(inbox, id, one.id));
  await messages.delete(inbox, id);
}

async function callWebhooks({ webhooks }: EmailPlatform): Promise<void> {
  const url = 'https://shop.example.com/hooks';
  const event_types = ['delivery'];
  await webhooks.create({ url, webhook_type: 'campaigns', event_types });
  const sending = { url, webhook_type: 'email_sending', sending_stream: 'bulk', event_types } as const;
  const { id } = await webhooks.create(sending);
  await webhooks.create({ url, webhook_type: 'inbound_receiving' });
  await webhooks.update(id, { active: false });
  await webhooks.get(id);
  await webhooks.list();
  await webhooks.delete(id);
}

async function callInbound({ inbound }: EmailPlatform, emulator: Emulator): Promise<void> {
  const { folders, inboxes, messages, threads, forwardRules } = inbound;
  const folder = await folders.create({ name: 'Support' });
  await folders.update(folder.id, { name: 'Help' });
  await folders.get(folder.id);
  await folders.list();
  const inbox = await inboxes.create(folder.id, { name: 'Questions' });
  await inboxes.update(folder.id, inbox.id, { name: 'Answers' });
  await inboxes.get(folder.id, inbox.id);
  await inboxes.list(folder.id);

  const conditions = [{ match_type: 'header', operator: 'not_empty', header_key: 'X-A' }];
  const destinations = [{ email: 'books@example.com' }];
  const rule = await forwardRules.create(inbox.id, { name: 'All', conditions, destinations });
  await forwardRules.update(inbox.id, rule.id, { name: 'Everything' });
  await forwardRules.get(inbox.id, rule.id);
  await forwardRules.list(inbox.id);

  const [{ messageId, threadId } = { messageId: '', threadId: '' }] = emulator.inbound.receive({
    to: inbox.address,
    from: 'Ann <ann@example.org>',
    cc: ['cy@example.org'],
    headers: { 'X-A': '1' },
    html: '<p>Hello</p>',
    attachments: [{ content: btoa('x'), filename: 'x.txt' }],
  });
  await messages.reply(inbox.id, messageId, { text: 'Hello' });
  await messages.replyAll(inbox.id, messageId, { text: 'Hello' });
  await messages.forward(inbox.id, messageId, { to: destinations });
  emulator.clock.advance(200_000);
  await messages.list(inbox.id).toArray();
  await messages.get(inbox.id, messageId);
  await threads.list(inbox.id).toArray();
  expect(await threads.list(inbox.id, { search: 'ann' }).toArray()).toHaveLength(1);
  expect((await threads.get(inbox.id, threadId)).messages).toHaveLength(6);
  await messages.delete(inbox.id, messageId);
  await threads.get(inbox.id, threadId);
  await threads.delete(inbox.id, threadId);
  await forwardRules.delete(inbox.id, rule.id);
  await inboxes.delete(folder.id, inbox.id);
  await folders.delete(folder.id);
}

async function callTheRest(client: EmailPlatform, emulator: Emulator): Promise<void> {
  const { sendingDomains, accounts } = client;
  const domain = await sendingDomains.create({ domain_name: 'schemas.example.com' });
  await sendingDomains.update(domain.id, { inbound_enabled: true, tracking_opt_out_enabled: true });
  await sendingDomains.sendSetupInstructions(domain.id, { email: 'ops@example.com' });
  emulator.domains.setVerified(domain.id, true);
  await sendingDomains.get(domain.id);
  await sendingDomains.list();
  await sendingDomains.delete(domain.id);

  for (const account of await accounts.list().toArray()) await accounts.get(account.id);
  await accounts.permissions.list();
  const accesses = await accounts.accesses.list().toArray();
  await accounts.accesses.remove(accesses.find(({ permissions }) => permissions.can_destroy)?.id ?? 0);
}

async function callAdministration(client: EmailPlatform, emulator: Emulator): Promise<void> {
  const { accounts, apiTokens, billing, organizations, sendingDomains } = client;
  const [domain] = emulator.domains.list();
  const id = domain?.id ?? 0;
  const made = await apiTokens.create({
    name: 'orders',
    resources: [{ resource_type: 'domain', resource_id: id, access_level: 100 }],
  });
  const replaced = await apiTokens.reset(made.id, { expires_at: new Date(Date.now() + 3_600_000) });
  expect(replaced.token).not.toBe(made.token);
  await apiTokens.get(replaced.id);
  expect(await apiTokens.list().toArray()).toHaveLength(3);
  await apiTokens.delete(replaced.id);

  await sendingDomains.companyInfo.create(id, examples.companyInfo as CompanyInfoCreateParams);
  await sendingDomains.companyInfo.update(id, { city: 'Oslo' });
  await sendingDomains.companyInfo.get(id);

  const accesses = await accounts.accesses.list().toArray();
  const access = accesses.find(({ permissions }) => permissions.can_update);
  await accounts.permissions.updateAll(access?.id ?? 0, [
    { resource_type: 'domain', resource_id: id, access_level: 10 },
  ]);
  await accounts.permissions.updateAll(access?.id ?? 0, [
    { resource_type: 'domain', resource_id: String(id), access_level: 'admin' },
  ]);

  await billing.usage();
  const subAccounts = organizations.subAccounts(emulator.organizationId);
  await subAccounts.create({ name: 'Shop in Rome' });
  await subAccounts.list();
}

/**
 * Calls the groups of methods that have not been called: those that only create an object, read, change and delete it.
 * What they are given is what every other test gives them.
 */
async function callWhatIsLeft(client: EmailPlatform, called: ReadonlySet<string>): Promise<void> {
  const left = new Map<string, Map<string, DeclaredEndpoint>>();
  for (const endpoint of endpoints().filter(({ operation }) => !called.has(operation))) {
    const [, group = '', method = ''] = /^(.*)\.(\w+)$/.exec(endpoint.operation) ?? [];
    left.set(group, (left.get(group) ?? new Map<string, DeclaredEndpoint>()).set(method, endpoint));
  }
  for (const group of left.values()) {
    let id: unknown;
    for (const method of ['create', 'get', 'update', 'list', 'delete']) {
      const endpoint = group.get(method);
      if (endpoint === undefined) continue;
      const path = Object.keys(pathArgumentsOf(endpoint)).map(() => id);
      const result = await callMethod(client, endpoint, path, paramsOf(endpoint, { text: '<p>Hello</p>' }));
      if (method === 'create') ({ id } = result as { id: unknown });
    }
  }
}

/** Calls every method, with an account and without, and checks every response. */
async function callEverything() {
  const called = new Set<string>();
  let written: ReadonlySet<string> = called;
  const used = new Set<string>();
  const exchanges: RecordedExchange[] = [];
  for (const hasAccount of [true, false]) {
    const accounts = { permissionsPath: 'resources' } as const;
    const emulator = createEmulator({ seed: 'demo', limits: false, accounts });
    const { accountId, ...options } = emulator.clientOptions();
    const recording = recordingFetch(options.fetch, options.hosts);
    const checking: EmailPlatformOptions = {
      fetch: recording.fetch,
      schemas: recorded(used),
      validateResponses: 'throw',
      hooks: { onResponse: ({ operation }) => void called.add(operation) },
      throttle: false,
    };
    const client = new EmailPlatform({ ...options, ...checking, ...(hasAccount && { accountId }) });
    await callCampaigns(client, emulator.domains.list().find(({ verified }) => verified)?.id ?? 0);
    await callSending(client);
    await callEmailLogs(client, accountId);
    await callContacts(client, emulator);
    await callSandbox(client, options.sandboxInboxId);
    await callSuppressions(client, emulator.domains.list()[0]?.id ?? 0);
    await callStats(client);
    await callAdministration(client, emulator);
    await callWebhooks(client);
    await callInbound(client, emulator);
    await callTheRest(client, emulator);
    if (hasAccount) written = new Set(called);
    await callWhatIsLeft(client, written);
    exchanges.push(...recording.exchanges);
  }
  return { called, used, exchanges };
}

let everything: ReturnType<typeof callEverything> | undefined;
const called = () => (everything ??= callEverything());
const methods = resourceMethods(new EmailPlatform(createEmulator().clientOptions())).map(({ name }) => name);

test('the response of every method matches its schema', async () => {
  const { called: operations, used } = await called();
  const others = /\.(isVerified|waitUntil\w+|waitFor|run|ensure|settleUnknown|exports\.download)$/;
  expect([...operations].sort()).toEqual(methods.filter((name) => !others.test(name)).sort());
  expect([...used].sort()).toEqual((Object.keys(examples) as ResponseSchemaName[]).sort());
});

const shapes = { ...recordedShapes, ...receivedShapes };
/** Every endpoint that a method calls, by each of its paths. A method without an endpoint is for `surface.test.ts`. */
const rows = surface
  .filter(({ method }) => methods.includes(method))
  .flatMap((row) =>
    (row.accountPath === undefined ? ['token'] : ['token', 'account']).map(
      (family) => [`${row.method} ${row.verb}`, row.host, family as Family, row] as const,
    ),
  );

describe('The emulator answers as the service was recorded to', () => {
  test.each(rows)('%s {%s}, %s', async (_name, _host, family, row) => {
    const answered = (await called()).exchanges.filter((exchange) => {
      const endpoint = endpointOf(exchange);
      return endpoint?.row === row && endpoint.family === family && exchange.status < 300;
    });
    expect(answered.length).toBeGreaterThan(0);
    const recorded = row.recorded.filter((status) => status < 300);
    for (const { status, type, body } of answered) {
      if (recorded.length > 0) expect(recorded).toContain(status);
      if (status === 204) {
        expect(body).toBe('');
        continue;
      }
      const wanted = recordedTypes[row.method] ?? 'application/json';
      expect(type.split(';')[0]).toBe(wanted);
      const shape = shapes[row.method];
      if (shape !== undefined) expect(differences(JSON.parse(body), shape)).toEqual([]);
    }
  });

  test('and the shape of every recorded success is known, unless it has no JSON', () => {
    const unknown = surface.filter(
      ({ method, recorded }) =>
        recorded.some((status) => status === 200 || status === 201) &&
        shapes[method] === undefined &&
        recordedTypes[method] === undefined,
    );
    expect(unknown.map(({ method }) => method)).toEqual([]);
  });

  test('and no request is sent that is not in the table, besides those with a reason', async () => {
    const others = (await called()).exchanges
      .filter((exchange) => !SIGNED.test(exchange.path) && endpointOf(exchange) === undefined)
      .map(({ verb, path }) => `${verb} ${path.replace(/\/accounts\/\d+/, '')}`);
    const besides = Object.keys(BESIDES).map((name) => name.replace(/^\S+ /, ''));
    expect(others.filter((request) => !besides.includes(request))).toEqual([]);
  });
});
