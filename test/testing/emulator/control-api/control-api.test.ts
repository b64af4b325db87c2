import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi, type MockInstance } from 'vitest';
import {
  connectEmulator,
  createEmulator,
  type ConnectedMessage,
  type Emulator,
} from 'email-platform/testing';
import { problemIn } from '../../../../src/testing/declare/kind.ts';
import { everyControl } from '../../../../src/testing/emulator/controls/controls.ts';
import { fromJson } from '../../../../src/testing/emulator/control-api/serialize.ts';
import { operationOf, serving } from '../../../../src/testing/emulator/control-api/operations.ts';
import { Waiters } from '../../../../src/testing/common/waiters.ts';
import { listen } from '../../../support/ports.ts';
import { start, still } from '../../tools/wire.ts';

const servers: Emulator.Server[] = [];
let waits: MockInstance<Waiters<unknown>['wait']>;
beforeEach(() => {
  waits = vi.spyOn(Waiters.prototype as Waiters<unknown>, 'wait');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function openControlApi(options: Emulator.Options = {}, emulator: Emulator = still(options)) {
  const server = await emulator.listen({ control: true });
  servers.push(server);
  const { control } = server;
  if (control === undefined) throw new Error('There is no control API');
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(control.url + path, {
      method,
      headers: { authorization: `Bearer ${control.token}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
  };
  const connected = connectEmulator(control.url, { controlToken: control.token });
  return { emulator, server, control, ask, connected };
}

const email = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Welcome',
  text: 'Hello Ann',
  html: '<p>Hello Ann</p>',
  attachments: [{ filename: 'a.txt', content: btoa('file') }],
};

/** Sends an email to an emulator in this process. */
async function send(emulator: Emulator, changes: object = {}): Promise<string> {
  const { token, hosts, fetch: reach } = emulator.clientOptions();
  const response = await reach(`${hosts.send}/api/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...email, ...changes }),
  });
  const { message_ids: ids } = (await response.json()) as { message_ids?: string[] };
  return ids?.[0] ?? '';
}

/** Emails have their addresses only in the control API. */
const withoutUrls = (name: string, result: unknown) =>
  ['messages', 'waitForMessages'].includes(name)
    ? (result as ConnectedMessage[]).map(({ html_url, ...message }) => {
        expect(html_url).toMatch(/^http/);
        return message;
      })
    : result;

const at = (root: unknown, name: string): unknown =>
  name.split('.').reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], root);

/** Arguments of each control that have an effect. A value takes none. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  mark: ['signs up'],
  'clock.now': [],
  'clock.isPaused': [],
  'clock.advance': [60_000],
  'clock.set': [start + 3_600_000],
  'clock.pause': [],
  'clock.resume': [],
  'faults.next': [{ kind: 'slow', match: { path: /^\/api\/send$/i }, times: Infinity, delayMs: 5 }],
  'faults.list': [],
  'faults.pause': [1],
  'faults.resume': [1],
  'faults.remove': [1],
  'faults.clear': [],
  requests: [],
  waitForRequests: [{ path: '/api/*', waitMs: 0 }],
  reset: [],
  snapshot: [],
  restore: [createEmulator({ now: () => start, seed: 'demo' }).snapshot()],
  'domains.add': [{ name: 'new.example.com', verified: false }],
  'domains.setVerified': [302, true],
  'domains.list': [],
  'campaigns.add': [{ name: 'Spring', state: 'paused' }],
  'campaigns.setState': [1001, 'finished', { note: 'by hand' }],
  'campaigns.stateOf': [1001],
  'templates.add': [{ name: 'Welcome', body_html: '<p>Hi {{name}}</p>', editor: 'visual' }],
  'templates.replace': [
    [
      {
        ...{
          folder: 'hi',
          path: 'emails/hi',
          name: 'Hi',
          subject: 'Hi',
          category: 'x',
          html: '<p>Hi</p>',
          text: null,
        },
        ...{ optional: [], uuid: '8d3f9d2c-1a52-5f2e-9c5d-0c7a2a1b3c4d', uuids: {} },
      },
    ],
  ],
  'sandbox.add': [],
  'sandbox.messages': [2001],
  createToken: [{ permissions: { campaigns: 'viewer' } }],
  organizationId: [],
  setBilling: ['exceeded'],
  messages: [],
  waitForMessages: [{ to: 'ANN@example.org', since: start, waitMs: 0 }],
  // The email itself replaces it below: its id is not known here.
  unsubscribe: [{ id: '' }],
  'logs.add': [{ to: 'bo@example.org', sent_at: new Date(start - 5_000), raw: new Uint8Array([1, 2, 255]) }],
  'logs.addMany': [new Set([{ to: 'cy@example.org' }, { to: 'di@example.org' }])],
  'webhooks.signatureHeader': [],
  'webhooks.posts': [],
  'webhooks.settled': [],
  'webhooks.flush': [],
  'webhooks.redeliver': [1],
  'webhooks.emit': ['audit_log', { action: 'login' }],
  'inbound.add': [],
  'inbound.receive': [{ to: 'inbox@inbound.emulator.test', from: 'Eve <eve@example.org>', text: 'Hello' }],
};

/** An emulator with something of everything that the controls can see and change. */
async function prepared(): Promise<Emulator> {
  const emulator = still({ webhooks: { receive: () => new Response() } });
  emulator.campaigns.add();
  await send(emulator);
  const { token, hosts, fetch: reach } = emulator.clientOptions();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const webhook = { url: 'https://receiver.example.com/', webhook_type: 'audit_log', event_types: [] };
  await reach(`${hosts.api}/api/webhooks`, { method: 'POST', headers, body: JSON.stringify({ webhook }) });
  emulator.webhooks.emit('audit_log', { action: 'logout' });
  await emulator.webhooks.flush();
  emulator.inbound.add();
  emulator.faults.next({ kind: 'stall', match: { path: /x/ } });
  return emulator;
}

describe('Every control', () => {
  test('is called by these tests', () => {
    const controls = everyControl().map(([name]) => name);
    const table = 'ARGUMENTS in test/testing/emulator/control-api/control-api.test.ts';
    expect(
      controls.filter((name) => !Object.hasOwn(ARGUMENTS, name)),
      `${table} lacks a row`,
    ).toEqual([]);
    expect(
      Object.keys(ARGUMENTS).filter((name) => !controls.includes(name)),
      `${table} has one too many`,
    ).toEqual([]);
  });

  test.each(everyControl())('%s does over the port what it does in the process', async (name, control) => {
    const here = await prepared();
    const there = await prepared();
    const operation = operationOf({ name, control });
    const server = await there.listen({ control: true });
    servers.push(server);
    const answers: unknown[] = [];
    const connected = connectEmulator(server.control?.url ?? '', {
      controlToken: server.control?.token ?? '',
      fetch: async (...request) => {
        const response = await fetch(...request);
        const text = await response.clone().text();
        answers.push(text === '' ? undefined : (JSON.parse(text) as unknown));
        expect(response.status).toBe(text === '' ? 204 : 200);
        return response;
      },
    });
    const values = (ARGUMENTS[name] ?? []).map((value) => {
      if (name === 'unsubscribe') return here.messages()[0];
      return name === 'inbound.receive' ? { ...(value as object), to: addressOf(here) } : value;
    });
    const use = async (root: unknown) => {
      const found = at(root, name);
      return control.takes === undefined
        ? await found
        : await (found as (...all: unknown[]) => unknown)(...values);
    };
    const [result, later] = [await use(here), await use(connected)];
    expect(withoutUrls(name, later)).toEqual(result);
    expect(stateOf(there)).toEqual(stateOf(here));
    // The response fits the OpenAPI document.
    const [serves] = serving(everyControl().map(([one, its]) => ({ name: one, control: its }))).filter(
      (one) => one.control.line === control.line,
    );
    const { answer } = serves === undefined ? operation : operationOf(serves);
    expect(answers).toHaveLength(1);
    if (typeof answer !== 'object') expect(answers).toEqual([undefined]);
    else {
      const problem = problemIn(answer, fromJson(answer, answers[0]), 'answer');
      expect(problem, `The kind of the result is declared with ${name}`).toBeUndefined();
    }
  });

  test('an email has the address of its HTML, which a browser opens without a token', async () => {
    const { emulator, connected } = await openControlApi();
    await send(emulator);
    await send(emulator, { html: undefined });
    const [first, second] = await connected.messages();
    const page = await fetch(first?.html_url ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Hello Ann')]);
    expect(second?.html_url).toBeNull();
    const [waited] = await connected.waitForMessages({ to: 'ann@example.org', waitMs: 0 });
    expect(waited?.html_url).toBe(first?.html_url);
  });

  const addressOf = (emulator: Emulator) =>
    (/[\w.+-]+@inbound\.emulator\.test/.exec(JSON.stringify(emulator.snapshot())) ?? [])[0];

  /** Everything that a call may have changed. */
  const stateOf = (emulator: Emulator) => ({
    snapshot: emulator.snapshot(),
    faults: emulator.faults.list(),
    requests: emulator.requests,
    isPaused: emulator.clock.isPaused,
  });
});

describe('Requests to the control API', () => {
  test('health needs no token; everything else does, and no API token is one', async () => {
    const { emulator, ask } = await openControlApi();
    const none = { authorization: '' };
    expect((await ask('GET', '/health', undefined, none)).json).toMatchObject({ ok: true });
    expect(await ask('GET', '/clock', undefined, none)).toMatchObject({
      status: 401,
      json: { error: expect.stringContaining('Authorization: Bearer') as unknown },
    });
    const api = emulator.clientOptions().token;
    expect((await ask('GET', '/clock', undefined, { authorization: `Bearer ${api}` })).json).toEqual({
      error: 'This is not the control token. An API token gives no access to the control API.',
    });
    expect((await ask('POST', '/reset', undefined, { authorization: '', 'api-token': api })).status).toBe(
      401,
    );
    expect((await ask('GET', '/nowhere', undefined, none)).status).toBe(401);
  });

  test('the control token opens no endpoint of the service', async () => {
    const { server, control } = await openControlApi();
    const headers = { authorization: `Bearer ${control.token}` };
    expect((await fetch(`${server.hosts.api}/api/email_campaigns`, { headers })).status).toBe(401);
  });

  test.each<[method: string, path: string, body: unknown, error: string]>([
    ['POST', '/clock/advance', { millis: 5 }, '`body.millis` is unknown; the known names are ms'],
    ['POST', '/clock/advance', {}, '`body.ms` must be a number of milliseconds, 0 or more, not undefined'],
    ['POST', '/clock/advance', { ms: '5' }, "`body.ms` must be a number of milliseconds, 0 or more, not '5'"],
    ['POST', '/clock/set', { now: 5 }, '`now` must not be before the time of the clock, '],
    ['POST', '/clock/advance', 'ms=5', 'The request body is not valid JSON'],
    ['POST', '/clock/advance', [5], 'The request body is not a JSON object'],
    ['POST', '/faults', { kind: 'statsu' }, "`body.kind` must be one of 'reset-before', "],
    [
      'POST',
      '/faults',
      { kind: 'slow', match: { url: '/' } },
      '`body.match.url` is unknown; the known names are',
    ],
    [
      'POST',
      '/faults',
      { kind: 'slow', match: { path: { regexp: '(' } } },
      '`body.match.path` must be a path',
    ],
    ['POST', '/faults', { kind: 'slow', always: true, times: 2 }, '`fault.always` and `fault.times` exclude'],
    ['POST', '/faults', { kind: 'slow', seed: 2 }, '`fault.seed` has no effect without `fault.probability`'],
    [
      'POST',
      '/campaigns',
      { subject: 'x' },
      '`body.subject` is unknown; the known names are name, domain_id',
    ],
    ['POST', '/campaigns/7/state', { state: 'paused' }, 'There is no campaign 7'],
    ['POST', '/campaigns/x/state', { state: 'paused' }, "`id` must be a whole number, 1 or more, not 'x'"],
    [
      'POST',
      '/campaigns/1001/state',
      { stat: 'paused' },
      '`body.stat` is unknown; the known names are state, ',
    ],
    [
      'GET',
      '/messages?form=a',
      undefined,
      '`form` is unknown in the query; the known names are to, stream, subject,',
    ],
    [
      'GET',
      '/messages?wait_ms=60001',
      undefined,
      '`wait_ms` must be a whole number from 0 to 60000, not 60001',
    ],
    ['GET', '/messages?stream=sms', undefined, "`stream` must be one of 'transactional', 'bulk', 'sandbox'"],
    ['GET', '/clock?now=5', undefined, '`now` is unknown in the query; there are none'],
    [
      'PUT',
      '/snapshot',
      { format: 'email-platform emulator', version: 1 },
      '`body.version` must be 4, the version of snapshots that',
    ],
    [
      'PUT',
      '/billing',
      { state: 'paid' },
      "`body.state` must be one of 'within-limits', 'exceeded', not 'paid'",
    ],
  ])('%s %s with %j is a 400 that names the field and the rule', async (method, path, body, error) => {
    const { ask, emulator } = await openControlApi();
    emulator.campaigns.add();
    const answer = await ask(method, path, body);
    expect(answer.json.error).toContain(error);
    expect(answer.status).toBe(400);
    expect(emulator.campaigns.stateOf(1001)).toBe('draft');
    expect(emulator.faults.list()).toEqual([]);
  });

  test('an unknown path is a 404, and another method a 405', async () => {
    const { ask } = await openControlApi();
    expect((await ask('GET', '/nowhere')).status).toBe(404);
    expect((await ask('GET', '')).status).toBe(404);
    expect((await ask('GET', '/%')).status).toBe(404);
    expect((await ask('GET', '/messages/7/html')).json.error).toBe('There is no email 7');
    const wrong = await ask('PATCH', '/faults');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE']);
  });

  test('without the option, the path is one that the emulator does not have', async () => {
    const emulator = still();
    const server = await emulator.listen();
    servers.push(server);
    expect(server).not.toHaveProperty('control');
    const response = await fetch(`${server.url}/_emulator/health`);
    const other = await fetch(`${server.url}/_unknown/health`);
    expect(response.status).toBe(501);
    expect(await response.text()).toBe((await other.text()).replace('_unknown', '_emulator'));
  });

  test('a token of ones own; the API token cannot be it', async () => {
    const emulator = still({ token: 'an-api-token-of-my-own' });
    const server = await emulator.listen({ control: { token: 'a-control-token-of-my-own' } });
    servers.push(server);
    expect(server.control?.token).toBe('a-control-token-of-my-own');
    await expect(emulator.listen({ control: { token: 'an-api-token-of-my-own' } })).rejects.toThrow(
      '`options.control.token` must not be the API token',
    );
  });
});

describe('Requests, as the control API shows them', () => {
  test('have headers without secrets, the body and the duration; in the process they do not', async () => {
    const { emulator, ask, server } = await openControlApi();
    const { token } = emulator.clientOptions();
    await fetch(`${server.hosts.send}/api/send?a=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-note': 'kept' },
      body: JSON.stringify(email),
    });
    const { json, text } = await ask('GET', '/requests?method=post&path=/api/*');
    expect(json.requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        path: '/api/send',
        query: '?a=1',
        status: 200,
        durationMs: expect.any(Number) as unknown,
        body: JSON.stringify(email),
        headers: expect.objectContaining({ authorization: '[redacted]', 'x-note': 'kept' }) as unknown,
      }),
    ]);
    expect(text).not.toContain(token);
    expect(Object.keys(emulator.requests[0] ?? {})).toEqual([
      'method',
      'host',
      'path',
      'query',
      'at',
      'status',
    ]);
    expect((await ask('GET', '/requests?path=/api/other')).json).toEqual({ requests: [] });
  });

  test('a body is kept even if the service never saw it; one of more than 64 KiB is not kept', async () => {
    const { emulator, ask } = await openControlApi();
    emulator.faults.next({ kind: 'status', status: 429, body: {} });
    await send(emulator);
    await send(emulator, { text: 'x'.repeat(70_000) });
    const { requests } = (await ask('GET', '/requests')).json as {
      requests: { status: number; body: unknown }[];
    };
    expect(requests.map(({ status, body }) => [status, body])).toEqual([
      [429, JSON.stringify(email)],
      [200, null],
    ]);
  });

  test('the log keeps details of requests only while there is a control API', async () => {
    const { emulator, server } = await openControlApi();
    await server.close();
    await send(emulator);
    const { ask } = await openControlApi({}, emulator);
    await send(emulator);
    const { requests } = (await ask('GET', '/requests')).json as { requests: { body: unknown }[] };
    expect(requests.map(({ body }) => body)).toEqual([null, JSON.stringify(email)]);
  });
});

describe('Emails, as the control API shows them', () => {
  test('have an address for their HTML, and for each attachment; content only if asked for', async () => {
    const { emulator, ask, control } = await openControlApi();
    const id = await send(emulator);
    const { messages } = (await ask('GET', '/messages?to=ANN@example.org')).json as {
      messages: { html_url: string; attachments: Record<string, unknown>[] }[];
    };
    const url = `${control.url}/messages/${id}`;
    expect(messages[0]?.attachments).toEqual([
      {
        filename: 'a.txt',
        type: 'application/octet-stream',
        disposition: 'attachment',
        contentId: null,
        size: 4,
        url: `${url}/attachments/0`,
      },
    ]);
    const page = await fetch(messages[0]?.html_url ?? '');
    expect(await page.text()).toBe('<p>Hello Ann</p>');
    expect(page.headers.get('content-security-policy')).toBe(
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    for (const signature of ['', '?signature=', `?signature=${'0'.repeat(64)}`]) {
      expect((await fetch(`${url}/html${signature}`)).status).toBe(401);
    }
    const withContent = (await ask('GET', '/messages?attachment_content=true')).text;
    expect(withContent).toContain(btoa('file'));
  });

  test('the address of an email is not valid for a later one with its id', async () => {
    const { emulator, ask } = await openControlApi();
    const first = await send(emulator);
    const { messages } = (await ask('GET', '/messages')).json as { messages: { html_url: string }[] };
    const url = messages[0]?.html_url ?? '';
    expect((await fetch(url)).status).toBe(200);
    emulator.reset();
    expect(await send(emulator)).toBe(first);
    expect((await fetch(url)).status).toBe(401);
  });

  test('the cookie of a browser is for this path alone: no script and no other site can use it', async () => {
    const { control } = await openControlApi();
    const { status, headers } = await fetch(control.browserUrl(), { redirect: 'manual' });
    const path = headers.get('location') ?? '';
    expect([status, path]).toEqual([303, expect.stringMatching(/^\/_emulator\/s\/[\w-]+\/$/)]);
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(`^email-platform=[\\w-]+; Path=${path}; HttpOnly; SameSite=Strict$`),
    );
  });

  test('the signature of one email is not that of another', async () => {
    const { emulator, ask } = await openControlApi();
    const [first, second] = [await send(emulator), await send(emulator)];
    const { messages } = (await ask('GET', '/messages')).json as { messages: { html_url: string }[] };
    expect((await fetch((messages[0]?.html_url ?? '').replace(first, second))).status).toBe(401);
  });

  test('text, source, attachments and the latest HTML', async () => {
    const { emulator, ask } = await openControlApi();
    const id = await send(emulator);
    await send(emulator, {
      to: [{ email: 'bo@example.org' }],
      html: '<p>Bo <img src="cid:logo"></p>',
      attachments: [
        { filename: 'l.png', content: 'AAAA', type: 'image/png', disposition: 'inline', content_id: 'logo' },
      ],
    });
    expect((await ask('GET', `/messages/${id}/text`)).text).toBe('Hello Ann');
    const source = await ask('GET', `/messages/${id}/source`);
    expect(source.text).toMatch(/^Date: [^]*Subject: Welcome\r\n/);
    expect(source.headers.get('content-disposition')).toContain(`attachment; filename="${id}.eml"`);
    const file = await ask('GET', `/messages/${id}/attachments/0`);
    expect([file.text, file.headers.get('content-disposition')]).toEqual([
      'file',
      'attachment; filename="a.txt"; filename*=UTF-8\'\'a.txt',
    ]);
    expect((await ask('GET', `/messages/${id}/attachments/1`)).status).toBe(404);
    expect((await ask('GET', '/messages/latest.html')).text).toBe(
      '<p>Bo <img src="data:image/png;base64,AAAA"></p>',
    );
    expect((await ask('GET', '/messages/latest.html?to=Ann@example.org')).text).toBe('<p>Hello Ann</p>');
    expect((await ask('GET', '/messages/latest.html?to=eve@example.org')).status).toBe(404);
  });

  test('an image is shown where it is referred to by its whole name, as often as there is room', async () => {
    const { emulator, ask } = await openControlApi();
    const image = (content_id: string, content: string) => ({
      filename: 'l.png',
      content,
      type: 'image/png',
      disposition: 'inline' as const,
      content_id,
    });
    await send(emulator, {
      html: '<img src="cid:logo"><img src=\'cid:logo2\'><p style="background: url(cid:logo)">cid:none</p>',
      attachments: [image('logo', 'AAAA'), image('logo2', 'BBBB')],
    });
    expect((await ask('GET', '/messages/latest.html')).text).toBe(
      '<img src="data:image/png;base64,AAAA"><img src=\'data:image/png;base64,BBBB\'>' +
        '<p style="background: url(data:image/png;base64,AAAA)">cid:none</p>',
    );
    await send(emulator, {
      html: '<img src="cid:a">'.repeat(20_000),
      attachments: [image('a', 'A'.repeat(8_192))],
    });
    const { status, text } = await ask('GET', '/messages/latest.html');
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(33 * 2 ** 20);
    expect(text.startsWith('<img src="data:image/png;base64,AAAA')).toBe(true);
    expect(text.endsWith('<img src="cid:a">')).toBe(true);
  });

  test('the source of an email in a test inbox', async () => {
    const { emulator, ask } = await openControlApi();
    const { token, hosts, sandboxInboxId, fetch: reach } = emulator.clientOptions();
    await reach(`${hosts.sandbox}/api/send/${sandboxInboxId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(email),
    });
    const [message] = emulator.messages();
    expect((await ask('GET', `/messages/${message?.id ?? ''}/source`)).text).toContain('Subject: Welcome');
  });
});

describe('Waiting', () => {
  test('ends with the first email that fits, after those that do not', async () => {
    const { emulator, connected } = await openControlApi();
    const waiting = connected.waitForMessages({ to: 'bo@example.org', waitMs: 60_000 });
    await untilWaiting(1);
    await send(emulator);
    await send(emulator, { to: [{ email: 'bo@example.org' }] });
    expect((await waiting).map(({ to }) => to)).toEqual(['bo@example.org']);
    await untilWaiting(0);
  });

  test('ends with the first request that fits and has its response', async () => {
    const { emulator, connected } = await openControlApi();
    const waiting = connected.waitForRequests({ path: '/api/send', waitMs: 60_000 });
    await untilWaiting(1);
    await send(emulator);
    expect(await waiting).toMatchObject([{ path: '/api/send', status: 200 }]);
  });

  test('goes on over a reset, and ends with none when the time is over', async () => {
    const { emulator, connected } = await openControlApi();
    const waiting = connected.waitForMessages({ waitMs: 60_000 });
    await untilWaiting(1);
    emulator.reset();
    await send(emulator);
    expect(await waiting).toHaveLength(1);
    emulator.reset();
    await expect(connected.waitForMessages({ waitMs: 1 })).rejects.toThrow('There is no email at all.');
    expect(await emulator.waitForMessages({ waitMs: 0 })).toEqual([]);
  });

  test('ends when the server closes, or when the waiting caller is gone', async () => {
    const { connected, control, server } = await openControlApi();
    const gone = new AbortController();
    const leaving = fetch(`${control.url}/messages?wait_ms=60000`, {
      headers: { authorization: `Bearer ${control.token}` },
      signal: gone.signal,
    });
    await untilWaiting(1);
    gone.abort();
    await expect(leaving).rejects.toThrow();
    await untilWaiting(0);
    const waiting = connected.waitForMessages({ waitMs: 60_000 });
    const refused = expect(waiting).rejects.toThrow('cannot be reached');
    await untilWaiting(1);
    await server.close();
    await refused;
    await untilWaiting(0);
  });
});

describe('connectEmulator', () => {
  test('refuses wrong arguments without a request', async () => {
    const connected = connectEmulator('http://127.0.0.1:9', {
      controlToken: 'a-token-of-16-or-more',
      fetch: () => {
        throw new Error('There was a request');
      },
    });
    await expect(connected.clock.advance('1h' as never)).rejects.toThrow(TypeError);
    await expect(connected.campaigns.setState(7, 'sent' as never)).rejects.toThrow(RangeError);
    expect(() => connectEmulator('127.0.0.1', { controlToken: 'a-token-of-16-or-more' })).toThrow(
      '`url` must be a URL that begins with http: or https:',
    );
    expect(() => connectEmulator('http://a.test', { token: 'x' } as never)).toThrow(
      '`options.token` is unknown',
    );
    expect(() => connectEmulator('http://a.test', {} as never)).toThrow(
      '`options.controlToken` must be at least 16 characters',
    );
  });

  test('rejects as the method in the process throws', async () => {
    const { connected } = await openControlApi();
    await expect(connected.campaigns.stateOf(7)).rejects.toThrow(new RangeError('There is no campaign 7'));
    await expect(connected.logs.addMany([{}, { sendAt: 5 } as never])).rejects.toThrow(
      new TypeError(
        '`messages[1].sendAt` is unknown; the known names are message_id, status, subject, from, to, ' +
          'sent_at, client_ip, category, custom_variables, sending_stream, domain_id, template_id, ' +
          'template_variables, in_reply_to, references, thread_id, events, raw; did you mean `sent_at`?',
      ),
    );
  });

  test('says what is wrong: no emulator, no control API, another token', async () => {
    const { server, control, connected } = await openControlApi();
    const wrong = connectEmulator(control.url, { controlToken: 'another-control-token' });
    await expect(wrong.reset()).rejects.toThrow('refuses the control token');
    const plain = await still().listen();
    servers.push(plain);
    const without = connectEmulator(plain.url, { controlToken: control.token });
    await expect(without.reset()).rejects.toThrow('has no control API: start it with --control');
    await server.close();
    await expect(connected.reset()).rejects.toThrow(`The emulator at ${control.url} cannot be reached`);
  });

  test('the origin of the server is enough; clientOptions are those of the server', async () => {
    const { server, control } = await openControlApi();
    const connected = connectEmulator(server.url, { controlToken: control.token });
    expect(await connected.clientOptions()).toEqual(server.clientOptions());
  });

  test('to look at it makes no request', async () => {
    const { connected } = await openControlApi();
    expect(Object.keys(connected)).not.toContain('requests');
    expect(JSON.stringify(connected)).toContain('{');
  });
});

describe('Webhooks', () => {
  test('flush posts at once what has happened, and answers once it is answered; a post can be made again', async () => {
    const posts: string[] = [];
    const receiver = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => posts.push(text));
      request.on('end', () => setImmediate(() => response.writeHead(posts.length > 1 ? 500 : 200).end()));
    });
    const { port, close } = await listen(receiver);
    onTestFinished(async () => {
      await close();
    });
    const { emulator, ask, server } = await openControlApi();
    const { token } = emulator.clientOptions();
    await fetch(`${server.hosts.api}/api/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        webhook: {
          url: `http://127.0.0.1:${port}/`,
          webhook_type: 'email_sending',
          sending_stream: 'transactional',
          event_types: ['delivery'],
        },
      }),
    });
    await send(emulator);
    await ask('POST', '/webhooks/flush');
    expect(posts).toEqual([]);
    await ask('POST', '/clock/advance', { ms: 1_000 });
    expect((await ask('POST', '/webhooks/flush')).status).toBe(204);
    expect(posts).toHaveLength(1);
    expect(JSON.parse(posts[0] ?? '')).toMatchObject({ events: [{ event: 'delivery' }] });
    const made = (await ask('GET', '/webhooks/posts')).json.posts as { id: number; status: number }[];
    expect(made).toMatchObject([{ id: 1, status: 200, attempt: 1 }]);

    const again = await ask('POST', '/webhooks/posts/1/redeliver');
    expect(again.json.post).toMatchObject({ id: 2, status: 500, attempt: 2 });
    expect(posts[1]).toBe(posts[0]);
    expect((await ask('POST', '/webhooks/posts/7/redeliver')).json.error).toBe('There is no post 7');
    // The events are not posted a second time when they would have been due.
    await ask('POST', '/clock/advance', { ms: 30_000 });
    await ask('POST', '/webhooks/settled');
    expect(posts).toHaveLength(2);
  });
});

test('a snapshot goes from one emulator to another, with its tokens', async () => {
  const from = await openControlApi();
  const to = await openControlApi();
  const token = await from.connected.createToken();
  await send(from.emulator);
  const snapshot = await from.connected.snapshot();
  expect(JSON.stringify(snapshot)).toContain(token);
  await to.connected.restore(snapshot);
  expect(withoutUrls('messages', await to.connected.messages())).toEqual(from.emulator.messages());
  expect(to.emulator.snapshot()).toEqual(from.emulator.snapshot());
});

/** Resolves when so many wait, for an email or a request: those of the latest emulator that anybody waited for. */
async function untilWaiting(count: number): Promise<void> {
  await expect
    .poll(() => (waits.mock.contexts.at(-1) as Waiters<unknown> | undefined)?.count ?? 0)
    .toBe(count);
}
