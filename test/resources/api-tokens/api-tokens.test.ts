import {
  AuthenticationError,
  EmailPlatformError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  ResponseFormatError,
  ValidationError,
  type EmailPlatformOptions,
} from 'email-platform';
import { describe, expect, test, vi } from 'vitest';
import { examples } from '../../entries/schemas/examples.ts';
import { rejection } from '../../support/expect-error.ts';
import { covering } from '../../support/covering.ts';
import { everythingOf } from '../../support/everything-of.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { json, lost, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../../support/virtual-client.ts';
import { FORMS, kindOf, shows } from '../../attack/leak-forms.ts';
import { still } from '../../testing/tools/wire.ts';

const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hi',
  text: 'Hello',
};
const DAY_MS = 86_400_000;

describe.each(inMemoryAndOnAPort)('API tokens, %s', (_, connect) => {
  test.each([['with'], ['without']])('a token that is created works, %s an account', async (how) => {
    const world = await connect();
    const client = how === 'with' ? world.client : world.connect({ accountId: undefined });
    const [domain] = world.emulator.domains.list();
    const resources = [
      { resource_type: 'domain', resource_id: domain?.id ?? 0, access_level: 100 },
      { resource_type: 'inbox', resource_id: 2001, access_level: 10 },
    ] as const;
    const { token, ...made } = await client.apiTokens.create({ name: 'orders', resources });
    expect(made).toMatchObject({ name: 'orders', created_by: 'Emulator', expires_at: null });
    expect(made.last_4_digits).toBe(token.slice(-4));
    const names = how === 'with' ? ['sending_domain', 'inbox'] : ['domain', 'sandbox'];
    expect(made.resources).toEqual(resources.map((one, at) => ({ ...one, resource_type: names[at] })));

    const tenant = world.connect({ token });
    expect((await tenant.sending.send(mail)).success).toBe(true);
    await rejection(tenant.sending.send(mail, { stream: 'sandbox' }), PermissionDeniedError);
    await rejection(Promise.resolve(tenant.campaigns.list()), PermissionDeniedError);
    await rejection(Promise.resolve(tenant.apiTokens.list()), PermissionDeniedError);

    const listed = await client.apiTokens.list().toArray();
    expect(listed.find(({ id }) => id === made.id)).toEqual(made);
    expect(await client.apiTokens.get(made.id)).toEqual(made);
    await client.apiTokens.delete(made.id);
    await rejection(tenant.sending.send(mail), AuthenticationError);
    await rejection(client.apiTokens.get(made.id), NotFoundError);
  });

  test('a token that is reset gets another id and another value', async () => {
    const { client, connect: again } = await connect();
    const resources = [{ resource_type: 'account', resource_id: 1001, access_level: 10 }] as const;
    const old = await client.apiTokens.create({ name: 'reports', resources });
    const made = await client.apiTokens.reset(old.id);
    expect(made).toMatchObject({ name: `reports ${made.id}`, resources, expires_at: null });
    expect(made.id).not.toBe(old.id);
    expect(made.token).not.toBe(old.token);
    for (const { token } of [old, made]) {
      const reader = again({ token });
      await reader.campaigns.list();
      await rejection(reader.apiTokens.delete(made.id), PermissionDeniedError);
    }
  });
});

test('a token works until it expires; one that was reset, for 12 more hours', async () => {
  const emulator = still({ accounts: { tokenLifetimeMs: 30 * DAY_MS } });
  const clientWith = (options: EmailPlatformOptions) =>
    virtualClient({ ...emulator.clientOptions(), retry: false, ...options }).client;
  const client = clientWith({});
  const resources = [{ resource_type: 'account', resource_id: 1001, access_level: 100 }] as const;
  const at = (ms: number) => new Date(emulator.clock.now() + ms);

  const usual = await client.apiTokens.create({ name: 'usual', resources });
  const short = await client.apiTokens.create({ name: 'short', resources, expires_at: at(DAY_MS) });
  const endless = await client.apiTokens.create({ name: 'endless', resources, expires_at: null });
  const old = await client.apiTokens.create({ name: 'old', resources, expires_at: at(DAY_MS).toISOString() });
  const made = await client.apiTokens.reset(old.id, { expires_at: at(2 * DAY_MS) });
  expect([usual, short, endless, made].map(({ expires_at }) => expires_at)).toEqual([
    at(30 * DAY_MS).toISOString(),
    at(DAY_MS).toISOString(),
    null,
    at(2 * DAY_MS).toISOString(),
  ]);
  const working = async () => {
    const all = { usual, short, endless, old, made };
    const left: string[] = [];
    for (const [name, { token }] of Object.entries(all)) {
      const works = await clientWith({ token })
        .accounts.list()
        .then(() => true)
        .catch((error: unknown) => !(error instanceof AuthenticationError));
      if (works) left.push(name);
    }
    return left;
  };
  expect(await working()).toEqual(['usual', 'short', 'endless', 'old', 'made']);
  emulator.clock.advance(DAY_MS / 2 - 1);
  expect(await working()).toContain('old');
  emulator.clock.advance(1);
  expect(await working()).toEqual(['usual', 'short', 'endless', 'made']);
  emulator.clock.advance(DAY_MS / 2);
  expect(await working()).toEqual(['usual', 'endless', 'made']);
  emulator.clock.advance(30 * DAY_MS);
  expect(await working()).toEqual(['endless']);
  expect((await client.apiTokens.list().toArray()).map(({ name }) => name)).toEqual(['Emulator', 'endless']);
});

describe('A refusal of the service', () => {
  const { client } = virtualClient({ ...still().clientOptions(), retry: false });
  const past = new Date(Date.parse('2020-01-01'));
  test.each<[object, object]>([
    [{ name: ' ' }, { base: ["Name can't be blank"] }],
    [{ name: 'a', expires_at: past }, { expires_at: ['is invalid'] }],
    [{ name: 'a', expires_at: '2040-01-01T00:00:00Z' }, { expires_at: ['is invalid'] }],
    [
      { name: 'a', resources: [{ resource_type: 'domain', resource_id: 9, access_level: 10 }] },
      { base: ['Permissions are invalid'] },
    ],
  ])('%j', async (params, errors) => {
    const error = await rejection(client.apiTokens.create(params as never), ValidationError);
    expect(error.fieldErrors).toEqual(errors);
  });
});

describe('A request that is refused before it is sent', () => {
  const one = { resource_type: 'domain', resource_id: 1, access_level: 10 };
  const { fetch, sent } = scriptedFetch(json(200, {}));
  const { client } = virtualClient({ fetch });
  test.each<[object, string]>([
    [{}, 'name: is required'],
    [{ name: 7 }, 'name: must be a string'],
    [{ name: 'a', scopes: [] }, 'scopes: is not a known field'],
    [
      { name: 'a', resources: [{ ...one, access_level: 1000 }] },
      'resources[0].access_level: must be 100 or 10',
    ],
    [
      { name: 'a', resources: [{ ...one, resource_id: '1' }] },
      'resources[0].resource_id: must be a positive whole number',
    ],
    [{ name: 'a', resources: one }, 'resources: must be an array: put it in [ ]'],
    [
      { name: 'a', expires_at: 'tomorrow' },
      'expires_at: must be a valid Date, or an ISO 8601 date-time with its offset, such as 2031-12-01T09:00Z or 2031-12-01T09:00+01:00',
    ],
  ])('%j', async (params, message) => {
    const error = await rejection(client.apiTokens.create(params as never), InvalidRequestError);
    expect(error.message).toBe(`apiTokens.create was not sent: ${message}`);
    expect(sent).toHaveLength(0);
  });

  test('a reset with anything but an expiry', async () => {
    const error = await rejection(client.apiTokens.reset(1, { name: 'b' } as never), InvalidRequestError);
    expect(error.message).toBe('apiTokens.reset was not sent: name: is not a known field');
    expect(sent).toHaveLength(0);
  });
});

test('a kind of resource goes out under the name that the path has', async () => {
  const { fetch, sent } = scriptedFetch(json(200, examples.newApiToken));
  const kinds = ['domain', 'sending_domain', 'sandbox', 'inbox', 'project', 'one added since'];
  const resources = kinds.map(
    (resource_type) => ({ resource_type, resource_id: 5, access_level: 10 }) as const,
  );
  for (const accountId of [undefined, 7]) {
    await virtualClient({ fetch }).client.apiTokens.create({ name: 'a', resources }, { accountId });
  }
  const [token, account] = sent.map(({ body }) => {
    const { resources: written } = JSON.parse(body) as { resources: Record<string, unknown>[] };
    expect(written[0]).toMatchObject({ resource_id: '5', access_level: 10 });
    return written.map(({ resource_type }) => resource_type);
  });
  expect(token).toEqual(['domain', 'domain', 'sandbox', 'sandbox', 'project', 'one added since']);
  expect(account).toEqual([
    ...['sending_domain', 'sending_domain', 'inbox', 'inbox'],
    ...['project', 'one added since'],
  ]);
  expect(resources[1]?.resource_type).toBe('sending_domain');
});

describe.each(['create', 'reset'] as const)('apiTokens.%s', (method) => {
  const call = (client: ReturnType<typeof virtualClient>['client']) =>
    method === 'create' ? client.apiTokens.create({ name: 'orders' }) : client.apiTokens.reset(7);

  test.each<[string, Turn]>([
    ['a lost response', lost],
    ['a 500', json(500, { errors: 'Unexpected error' })],
    ['a 502', text(502, '<html>Bad gateway</html>', 'text/html')],
  ])('is not repeated after %s', async (__, turn) => {
    const { fetch, sent } = scriptedFetch(turn, json(200, examples.newApiToken));
    const { client, time } = virtualClient({ fetch });
    const error = await rejection(throughItsWaits(time, call(client)), EmailPlatformError);
    expect(error.effect).toBe('unknown');
    expect(sent).toHaveLength(1);
  });

  test('a response without the value is an error, and not taken for a token', async () => {
    const { fetch, sent } = scriptedFetch(json(200, examples.apiToken));
    const { client, time } = virtualClient({ fetch });
    const error = await rejection(throughItsWaits(time, call(client)), ResponseFormatError);
    expect(error.effect).toBe('unknown');
    expect(sent).toHaveLength(1);
  });
});

describe('The value of a new token is in the result, and nowhere else', () => {
  const SECRET = 'new/T0ken+9f3c&aB9~xyz-0123456789_QwErTy';
  const body = JSON.stringify({ ...examples.newApiToken, token: SECRET });
  const quoting = (text: string) => ({
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: () => ({ issues: [{ message: `expected a number, got ${text}`, path: ['token', text] }] }),
    },
  });
  const throwing = (text: string) => ({
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: () => {
        throw new Error(`cannot read ${text}`, { cause: text });
      },
    },
  });
  /** What the service may send in place of the result. */
  const answers: Readonly<Record<string, Turn>> = {
    'the result': text(200, body, 'application/json'),
    'a 500 that has it all the same': text(500, body, 'application/json'),
    'a body that ends too early': text(200, body.slice(0, -1), 'application/json'),
    'a body that breaks off': () =>
      new Response(
        new ReadableStream({
          start: (stream) => {
            stream.enqueue(new TextEncoder().encode(body));
            stream.error(new Error('broken'));
          },
        }),
      ),
    'a list of it': text(200, `[${body}]`, 'application/json'),
    'a page around it': text(200, `<pre>${body}</pre>`, 'text/html'),
  };

  const combinations = Object.entries(answers).flatMap(([name, turn]) =>
    (['create', 'reset'] as const).map((method) => [name, method, turn] as const),
  );
  /** Written in each form somewhere, and as it is everywhere; in full, in each form everywhere. */
  const forms = covering(Object.entries(FORMS), combinations, {
    kind: kindOf,
    group: () => 'all',
  });
  test.each(combinations.map((one) => [one[0], one[1], one] as const))(
    '%s, %s',
    async (_, __, combination) => {
      const [name, method, turn] = combination;
      const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      for (const [form, write] of forms.get(combination) ?? []) {
        for (const validateResponses of ['report', 'throw'] as const) {
          for (const schema of [quoting(write(SECRET)), throwing(write(SECRET))]) {
            const events: object[] = [];
            const keep = (event: object) => void events.push(event);
            const { client, time } = virtualClient({
              fetch: scriptedFetch(turn).fetch,
              schemas: { newApiToken: schema },
              validateResponses,
              hooks: { onRequest: keep, onResponse: keep, onRetry: keep, onMismatch: keep },
            });
            const { apiTokens } = client;
            const call = method === 'create' ? apiTokens.create({ name: 'orders' }) : apiTokens.reset(7);
            const outcome = await throughItsWaits(time, call.withResponse()).catch((error: unknown) => error);
            await new Promise((resolve) => setImmediate(resolve));
            const isResult = name === 'the result' && validateResponses === 'report';
            if (isResult) expect(outcome).toMatchObject({ data: { token: SECRET } });
            else expect(outcome).toBeInstanceOf(EmailPlatformError);
            const { response } = outcome as { response?: object };
            const readable = [isResult ? response : outcome, events, client, apiTokens];
            expect([form, shows(everythingOf(readable), SECRET)]).toEqual([form, false]);
          }
        }
      }
      expect(said).not.toHaveBeenCalled();
      said.mockRestore();
    },
  );

  test.each([['日本語'.repeat(9)], ['x'.repeat(100_000)], [7], [['a'.repeat(20)]], [null]])(
    'a value that is not a token does no harm: %#',
    async (token) => {
      for (const status of [200, 500]) {
        const { fetch } = scriptedFetch(json(status, { ...examples.newApiToken, token }));
        const { client } = virtualClient({ fetch, retry: false, schemas: { newApiToken: quoting('a') } });
        const outcome = await client.apiTokens.reset(7).catch((error: unknown) => error);
        const isResult = status === 200 && typeof token === 'string';
        if (isResult) expect(outcome).toMatchObject({ token });
        else expect(outcome).toBeInstanceOf(EmailPlatformError);
      }
    },
  );
});
