import { EmailPlatform, EmailPlatformError, InvalidRequestError, type RequestOptions } from 'email-platform';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { covering } from '../support/covering.ts';
import { resourceMethods } from '../support/resource-methods.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';
import { settle } from '../support/virtual-time.ts';
import { runs, sized } from '../support/extent.ts';

/** Events that no call may cause, besides its own result or error. */
const strays: unknown[] = [];
const stray = (event: unknown) => strays.push(event);
const EVENTS = ['unhandledRejection', 'uncaughtException', 'warning'] as const;
beforeAll(() => EVENTS.forEach((name) => process.on(name, stray)));
afterAll(async () => {
  await settle();
  EVENTS.forEach((name) => process.off(name, stray));
  expect(strays).toEqual([]);
});

const uuid = '123e4567-e89b-12d3-a456-426614174000';

/** Reads what a call comes to, to its end; a list by two pages. */
async function consumed(result: unknown): Promise<void> {
  if (Symbol.asyncIterator in Object(result)) {
    const items = (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    for (let left = 3; left > 0 && !(await items.next()).done;) left -= 1;
    await items.return?.();
  }
  const value = await (result as PromiseLike<unknown>);
  if (value instanceof ReadableStream) await new Response(value).arrayBuffer();
}

/** Whether a call ends in a result or an error of ours; throws whatever else it ends in. */
async function endsWell({ time }: ReturnType<typeof virtualClient>, call: () => unknown) {
  const ending = (async () => consumed(call()))();
  await throughItsWaits(time, ending).catch((error: unknown) => {
    // Without `expect`, which takes longer than most of these calls.
    if (!(error instanceof EmailPlatformError) || typeof error.message !== 'string')
      throw new Error('Something else was thrown.', { cause: error });
    JSON.stringify(error);
  });
}

const hosts = { api: 'https://api.test', send: 'https://send.test', bulk: 'https://bulk.test' };
const answering =
  (answer: () => Response): EmailPlatform.Fetch =>
  () =>
    Promise.resolve(answer());
const clientFor = (fetch: EmailPlatform.Fetch) => virtualClient({ fetch, hosts, accountId: 1, retry: false });

const thrower = () => {
  throw new Error('from a trap');
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const trap = new Proxy({}, { get: thrower });
/** Lets itself be read so many times. */
const readable = (times: number, value: object) => {
  let left = times;
  const count = () => {
    left -= 1;
    if (left < 0) thrower();
  };
  return new Proxy(value, {
    get: (target, name) => {
      count();
      return Reflect.get(target, name) as unknown;
    },
    ownKeys: (target) => {
      count();
      return Reflect.ownKeys(target);
    },
  });
};
const cyclic: Record<string, unknown> = { list: [] };
cyclic.self = cyclic;
(cyclic.list as unknown[]).push(cyclic, cyclic);
let deep: unknown = 1;
for (let depth = 0; depth < 100_000; depth += 1) deep = depth % 2 === 0 ? [deep] : { deep };
/** Few objects that are a billion values when they are written out. */
const laughs = Array.from({ length: 8 }).reduce<unknown>(
  (inner) => Array.from({ length: 16 }, () => inner),
  'ha',
);

/** Values that cannot be read, written or ended, each in its own way. */
const HOSTILE: readonly unknown[] = [
  revoked(),
  trap,
  new Proxy([], { get: thrower }),
  new Proxy({}, { ownKeys: thrower }),
  new Proxy({}, { has: thrower, getPrototypeOf: thrower, getOwnPropertyDescriptor: thrower }),
  new Proxy(() => 0, { get: thrower, apply: thrower }),
  Object.defineProperty({}, 'name', { get: thrower, enumerable: true }),
  { toString: thrower, valueOf: thrower },
  { toJSON: thrower },
  { [Symbol.toPrimitive]: thrower },
  { then: thrower },
  { length: 2 ** 32 },
  cyclic,
  deep,
  Object.assign([], { length: 2 ** 32 - 1 }),
  Symbol('s'),
  10n,
  Object.freeze({ name: Symbol('s') }),
  JSON.parse('{"__proto__":{"signal":1},"constructor":null}'),
  Object.create(null),
  Object.create({ signal: 5 }),
  new Date(NaN),
  new (class extends Date {
    override toISOString = thrower;
  })(),
  '\ud800',
];

/** A recipe, because a generator cannot hold such a value itself: it would read it. */
const hostile = fc.nat(HOSTILE.length - 1).map((index) => `hostile ${index}`);
const readableOf = (value: fc.Arbitrary<object>) => fc.record({ readTimes: fc.nat(12), of: value });

/** The value that a recipe stands for. */
function alive(recipe: unknown): unknown {
  if (typeof recipe === 'string' && /^hostile \d+$/.test(recipe)) return HOSTILE[Number(recipe.slice(8))];
  if (Array.isArray(recipe)) return recipe.map(alive);
  if (Object.prototype.toString.call(recipe) !== '[object Object]') return recipe;
  const { readTimes, of, ...others } = recipe as { readTimes?: number; of?: object };
  if (readTimes !== undefined) return readable(readTimes, alive(of) as object);
  return Object.fromEntries(Object.entries(others).map(([name, value]) => [name, alive(value)]));
}
const mail = { from: { email: 'a@b.test' }, to: [{ email: 'a@b.test' }], subject: 's', text: 't' };
/** Real arguments, in which anything may be in the place of anything. */
const fields = fc.dictionary(
  fc.constantFrom(
    ...[
      'name',
      'resources',
      'expires_at',
      'subject',
      'category',
      'datetime',
      'email',
      'filters',
      'search',
      'search_after',
      'token',
      'to',
    ],
    ...[
      'from',
      'attachments',
      'requests',
      'base',
      'custom_variables',
      'headers',
      'template_attributes',
      'id',
    ],
    ...[
      'signal',
      'timeoutMs',
      'retry',
      'accountId',
      'stream',
      'as',
      'inbox',
      'after',
      'download_path',
      'concurrency',
      'onProgress',
      'pollMs',
    ],
    ...['method', 'path', 'query', 'body', 'schema', 'host', 'raw_message_url', 'content', 'start_date'],
  ),
  fc.oneof(hostile, fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true })),
  { maxKeys: 3 },
);
const argument = fc.oneof(
  hostile,
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withTypedArray: true,
    withSparseArray: true,
  }),
  fields,
  fields.map((some) => ({ ...mail, ...some })),
  fields.map((some) => ({ method: 'GET', path: '/api/x', ...some })),
  fields.map((some) => ({ method: 'POST', path: '/api/x', ...some })),
  fields.map((some) => ({ requests: [{ ...mail, ...some }] })),
  fields.map((some) => [{ ...mail, ...some }]),
  readableOf(fields.map((some) => ({ ...mail, ...some }))),
  readableOf(fc.constant({ method: 'GET', path: '/api/x', query: {} })),
  readableOf(fc.constant({ timeoutMs: 5_000, accountId: 1 })),
  fc.constantFrom<unknown>(1, uuid, {}, undefined, 'https://a.test/raw'),
);

/** Good for any method: what is waited for is there. */
const done = {
  data: { id: 1 },
  id: 1,
  success: true,
  dns_verified: true,
  status: 'finished',
  url: 'https://a.test/',
};
const ok = answering(() => Response.json(done));
const names = [...resourceMethods(clientFor(ok).client).map(({ name }) => name), 'request'];
function methodOf(client: EmailPlatform, name: string): (args: unknown[]) => unknown {
  const found = resourceMethods(client).find((each) => each.name === name);
  // Hostile items, not a hostile iterable: the client passes on errors of the iterable itself, as documented.
  if (name === 'sending.batchAll' || name === 'contacts.imports.run')
    return ([source, ...rest]) => found?.run.apply(found.resource, [[source], ...rest]);
  return (args) =>
    found
      ? found.run.apply(found.resource, args)
      : client.request(args[0] as never, args[1] as RequestOptions);
}

describe('Any argument ends in a result or an error of this package', () => {
  test.each(names)('%s', async (name) => {
    const world = clientFor(ok);
    const call = methodOf(world.client, name);
    await fc.assert(
      fc.asyncProperty(fc.array(argument, { maxLength: 3 }), (args) =>
        endsWell(world, () => call(args.map(alive))),
      ),
      { numRuns: sized(60, 4) },
    );
    expect(strays).toEqual([]);
  });

  /** The places of a value in the arguments of any method. */
  const PLACES = [
    (value: unknown) => [value],
    (value: unknown) => [1, value],
    (value: unknown) => [mail, value],
    (value: unknown) => [1, {}, value],
  ];
  const calls = names.flatMap((name) => PLACES.map((place, at) => ({ name, place, at })));

  test('every hostile value in the place of every argument', async () => {
    const world = clientFor(ok);
    // In place of all: each call meets one value, and each value stands at each place.
    const chosen = covering(HOSTILE, calls, { kind: () => 'any', group: ({ at }) => String(at) });
    const methods = new Map(names.map((name) => [name, methodOf(world.client, name)] as const));
    for (const [{ name, place }, values] of chosen) {
      for (const value of values) await endsWell(world, () => methods.get(name)?.(place(value)));
    }
    expect(strays).toEqual([]);
  });
});

test('a filter of waitFor that cannot be read is refused', async () => {
  const { sandbox } = clientFor(ok).client;
  for (const filter of HOSTILE)
    await rejection(sandbox.messages.waitFor(filter as never), InvalidRequestError);
});

test('a query that is endless, or far too long, is refused at once', async () => {
  const { client } = clientFor(ok);
  const sparse = Object.assign([], { length: 2 ** 32 - 1 });
  for (const filters of [laughs, cyclic, deep, sparse, { a: { b: sparse } }] as never[]) {
    const sent = client.request({ method: 'GET', path: '/api/x', query: { filters } });
    const error = await rejection(sent, InvalidRequestError);
    expect(error.issues[0]?.path).toMatch(/^query/);
    expect(error.message).toMatch(/must have at most 1000 values/);
  }
});

test('a list with billions of holes is refused at once', async () => {
  const { client } = clientFor(ok);
  const holes = Object.assign([{ content: new Uint8Array(1) }], { length: 2 ** 32 - 1 }) as never[];
  const { sending, campaigns } = client;
  const calls = [
    () => sending.batch({ requests: holes }),
    () => sending.batch({ requests: [{ ...mail, attachments: holes }] }),
    () => sending.send({ ...mail, to: holes }),
    () => sending.send({ ...mail, attachments: holes }),
    () => campaigns.update(1, { contact_list_ids: holes }),
    () => client.emailLogs.list({ filters: { to: { operator: 'ci_equal', value: holes } } }),
    () => client.request({ method: 'POST', path: '/api/x', body: holes }),
  ];
  for (const call of calls) await rejection(Promise.resolve(call()), InvalidRequestError);
  const { value } = await sending.batchAll([{ ...mail, attachments: holes }]).next();
  expect(value).toMatchObject({ status: 'not_sent', error: { code: 'invalid_request' } });
});

test('an input of batchAll that cannot be read is refused, or its own error is passed on', async () => {
  const { client } = clientFor(ok);
  for (const source of [...HOSTILE, { [Symbol.iterator]: () => 5 }, { [Symbol.asyncIterator]: thrower }]) {
    const ending = Promise.resolve(client.sending.batchAll(source as never).next());
    await ending.catch((error: unknown) => expect(error).toBeInstanceOf(Error));
  }
  expect(strays).toEqual([]);
});

test('batchAll has an outcome for each email that cannot be read', async () => {
  const { client } = clientFor(ok);
  for (const email of HOSTILE) {
    const indexes: number[] = [];
    for await (const { index } of client.sending.batchAll([mail, email as never])) indexes.push(index);
    expect(indexes.sort()).toEqual([0, 1]);
  }
});

const OPTIONS = [
  ...['token', 'auth', 'accountId', 'hosts', 'timeoutMs', 'retry', 'throttle', 'fetch', 'hooks', 'schemas'],
  ...['appInfo', 'stream', 'defaults', 'recipients'],
];

/** Makes clients; throws whatever else than an error of this package they end in. */
function makesClient(given: unknown): void {
  const base = { token: 'token', hosts };
  for (const make of [
    () => new EmailPlatform(given as never),
    () => new EmailPlatform(base).withOptions(given as never),
    () => new EmailPlatform(base).limits.estimate(given as never, given as never),
  ]) {
    try {
      make();
    } catch (error) {
      if (!(error instanceof EmailPlatformError))
        throw new Error('Something else was thrown.', { cause: error });
    }
  }
}

test('any option of the client ends in a client or an error of this package', () => {
  const options = fc.dictionary(fc.constantFrom(...OPTIONS), argument);
  const given = fc.oneof(
    argument,
    options.map((some) => ({ token: 'token', hosts, ...some })),
  );
  fc.assert(
    fc.property(given, (recipe) => makesClient(alive(recipe))),
    { numRuns: runs(2_000) },
  );
});

test('every hostile value in place of the options', () => {
  for (const value of [...HOSTILE, laughs]) expect(() => makesClient(value)).not.toThrow();
});

test('every hostile value in the place of every option of the client', () => {
  for (const name of OPTIONS)
    for (const value of [...HOSTILE, laughs].flatMap((one) => [one, { name: one, allowOnly: [one] }]))
      expect(() => makesClient({ token: 'token', hosts, [name]: value }), name).not.toThrow();
});

/** Arguments with which a method sends a request. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  'campaigns.create': [
    { name: 'n', domain_id: 1, from_local_part: 'a', template_attributes: { subject: 's' } },
  ],
  'campaigns.update': [1, { name: 'n' }],
  'campaigns.schedule': [1, { datetime: new Date(Date.now() + 60_000) }],
  'campaigns.list': [],
  'emailLogs.list': [],
  'campaigns.waitUntilFinished': [1, { deadlineMs: 30_000 }],
  'emailLogs.get': [uuid],
  'emailLogs.downloadRaw': ['https://a.test/raw', { as: 'stream' }],
  'sending.send': [mail],
  'sending.batch': [{ requests: [mail] }],
  'sending.batchAll': [mail],
  'templates.list': [],
  'templates.create': [{ name: 'n', subject: 's', category: 'c' }],
  'templates.update': [1, { name: 'n' }],
  'sendingDomains.list': [],
  'sendingDomains.create': [{ domain_name: 'a.test' }],
  'sendingDomains.update': [1, { inbound_enabled: true }],
  'sendingDomains.sendSetupInstructions': [1, { email: 'a@b.test' }],
  'sendingDomains.waitUntilVerified': [1, { deadlineMs: 30_000 }],
  'contacts.get': ['a@b.test'],
  'contacts.lists.ensure': ['a'],
  'contacts.fields.ensure': [{ name: 'a', data_type: 'text', merge_tag: 'a' }],
  'contacts.imports.run': [{ email: 'a@b.test' }, { deadlineMs: 30_000 }],
  'contacts.imports.waitUntilFinished': [1, { deadlineMs: 30_000 }],
  'contacts.exports.waitUntilFinished': [1, { deadlineMs: 30_000 }],
  'contacts.exports.download': [1, { deadlineMs: 30_000 }],
  'sandbox.projects.create': [{ name: 'ab' }],
  'sandbox.projects.list': [],
  'sandbox.inboxes.create': [1, { name: 'a' }],
  'sandbox.inboxes.list': [],
  'sandbox.inboxes.update': [1, { name: 'a' }],
  'sandbox.messages.get': [1, 2],
  'sandbox.messages.markRead': [1, 2],
  'sandbox.messages.delete': [1, 2],
  'sandbox.messages.forward': [1, 2, { email: 'a@b.test' }],
  'sandbox.messages.spamReport': [1, 2],
  'sandbox.messages.htmlAnalysis': [1, 2],
  'sandbox.messages.headers': [1, 2],
  'sandbox.messages.text': [1, 2],
  'sandbox.messages.html': [1, 2, { as: 'bytes' }],
  'sandbox.messages.htmlSource': [1, 2],
  'sandbox.messages.raw': [1, 2, { as: 'stream' }],
  'sandbox.messages.eml': [1, 2],
  'sandbox.messages.waitFor': [
    { inbox: 1, to: 'a@b.test', subject: 'Hi', after: '2026-01-01T00:00:00Z' },
    { deadlineMs: 30_000 },
  ],
  'sandbox.attachments.list': [1, 2],
  'sandbox.attachments.get': [1, 2, 3],
  'sandbox.attachments.download': [{ download_path: '/api/testing_message_parts/x/download' }],
  'webhooks.list': [],
  'webhooks.create': [{ url: 'https://a.test/', webhook_type: 'audit_log' }],
  'webhooks.update': [1, { active: true }],
  'inbound.folders.list': [],
  'inbound.folders.create': [{ name: 'n' }],
  'inbound.folders.update': [1, { name: 'n' }],
  'inbound.inboxes.create': [1, { name: 'n' }],
  'inbound.inboxes.get': [1, 2],
  'inbound.inboxes.update': [1, 2, { name: 'n' }],
  'inbound.inboxes.delete': [1, 2],
  'inbound.messages.get': [1, '2'],
  'inbound.messages.delete': [1, '2'],
  'inbound.messages.reply': [1, '2', { text: 't' }],
  'inbound.messages.replyAll': [1, '2', { text: 't' }],
  'inbound.messages.forward': [1, '2', { to: [{ email: 'a@b.test' }] }],
  'inbound.threads.get': [1, '2'],
  'inbound.threads.delete': [1, '2'],
  'inbound.forwardRules.create': [1, { name: 'n' }],
  'inbound.forwardRules.get': [1, 2],
  'inbound.forwardRules.update': [1, 2, { name: 'n' }],
  'inbound.forwardRules.delete': [1, 2],
  'accounts.list': [],
  'accounts.accesses.list': [],
  'accounts.permissions.list': [],
  'accounts.permissions.updateAll': [1, [{ resource_type: 'domain', resource_id: 1, access_level: 10 }]],
  'apiTokens.list': [],
  'apiTokens.create': [{ name: 'n', resources: [] }],
  'billing.usage': [],
  'organizations.subAccounts.list': [],
  'organizations.subAccounts.create': [{ name: 'n' }],
  'organizations.subAccounts.delete': [1101],
  'sendingDomains.companyInfo.create': [
    1,
    { name: 'n', address: 'a', city: 'b', country: 'c', zip_code: 'd', website_url: 'https://a.test' },
  ],
  'sendingDomains.companyInfo.update': [1, { city: 'c' }],
  request: [{ method: 'GET', path: '/api/x' }],
};

/** JSON of a hostile service, from empty to its own formats with any values. */
const parts = fc.jsonValue({ maxDepth: 3 });
const documents = fc.oneof(
  parts.map((value) => JSON.stringify(value)),
  fc
    .record(
      { data: parts, pagination: parts, messages: parts, next_page_cursor: parts },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .record({ success: parts, message_ids: parts, responses: parts, errors: parts, error: parts })
    .map((value) => JSON.stringify(value)),
  fc
    .tuple(fc.array(parts), parts)
    .map(([data, next_token]) => JSON.stringify({ data, pagination: { next_token }, messages: data })),
  fc
    .array(parts)
    .map((items) =>
      JSON.stringify(
        items.map((item, index) => ({ id: index, to_email: item, subject: item, created_at: item })),
      ),
    ),
  fc.array(parts).map((dns_records) => JSON.stringify({ dns_records, data: [], id: 1 })),
  fc.constantFrom('[', '{', '"').chain((open) => fc.constant(open.repeat(100_000))),
  fc.constant(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  fc.constant(`{"data":${'{"data":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
  fc.constant(`{"data":[],"pagination":{"next_token":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`),
  fc.constant('{"data":{"__proto__":{"then":1}},"__proto__":5}'),
);
const body = fc.oneof(documents, fc.uint8Array());

describe('Any response ends in a result or an error of this package', () => {
  test.each(names)('%s', async (name) => {
    let bodies: readonly unknown[] = [];
    let turn = 0;
    const answer = () => new Response(bodies[Math.min(turn++, bodies.length - 1)] as BodyInit);
    const world = clientFor(answering(answer));
    const call = methodOf(world.client, name);
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 3 }), async (tried) => {
        bodies = tried;
        turn = 0;
        await endsWell(world, () => call([...(ARGUMENTS[name] ?? [1])]));
      }),
      { numRuns: sized(40, 3) },
    );
    expect(strays).toEqual([]);
  });
});

describe('A schema of the caller', () => {
  const world = (validate: (value: unknown) => unknown, validateResponses: 'report' | 'throw') => {
    const standard = { version: 1, vendor: 'test', validate };
    const schemas = { campaign: { '~standard': standard } } as never;
    const hooks = { onMismatch: thrower };
    return virtualClient({ fetch: ok, hosts, schemas, validateResponses, hooks, retry: false });
  };
  const never = new Promise(() => undefined);
  const broken: [string, (value: unknown) => unknown][] = [
    ['throws', thrower],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['returns nothing', () => undefined],
    ['returns what cannot be read', () => trap],
    [
      'throws what cannot be read',
      () => {
        throw revoked() as Error;
      },
    ],
    ['returns issues that cannot be read', () => ({ issues: [trap, { message: trap, path: [trap] }] })],
    ['returns issues that are none', () => ({ issues: 5 })],
    ['returns a promise that rejects', () => ({ value: Promise.reject(new Error('no')) })],
  ];
  test.each(broken)('that %s', async (_, validate) => {
    for (const how of ['report', 'throw'] as const) {
      const each = world(validate, how);
      await endsWell(each, () => each.client.campaigns.get(1));
    }
    const each = world(validate, 'report');
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as never;
    await endsWell(each, () => each.client.request({ method: 'GET', path: '/api/x', schema }));
    await settle();
    expect(strays).toEqual([]);
  });

  test.each([
    ['never settles', () => never],
    ['returns a promise that never settles', () => ({ value: never })],
  ])('that %s is bounded by the timeout, and the report is not waited for', async (_, validate) => {
    const reported = world(validate, 'report');
    await reported.client.campaigns.get(1);
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as never;
    const options: [RequestOptions, object][] = [
      [{ timeoutMs: 700 }, { code: 'response_format' }],
      [{ deadlineMs: 700 }, { code: 'timeout', kind: 'deadline' }],
    ];
    for (const [limit, error] of options) {
      for (const call of [
        ({ client }: ReturnType<typeof world>) => client.campaigns.get(1, limit),
        ({ client }: ReturnType<typeof world>) =>
          client.request({ method: 'GET', path: '/api/x', schema }, limit),
      ]) {
        const each = world(validate, 'throw');
        const outcome = throughItsWaits(each.time, Promise.resolve(call(each)));
        await expect(outcome).rejects.toMatchObject(error);
        expect(each.time.now()).toBe(700);
      }
    }
    const controller = new AbortController();
    const each = world(validate, 'throw');
    const aborted = each.client.campaigns.get(1, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(each.time.pending).toBe(0);
  });
});

test('one signal may serve very many calls of every kind, and derived clients', async () => {
  const many = sized(1_000, 50);
  const controller = new AbortController();
  const { signal } = controller;
  const { client } = virtualClient({ fetch: () => new Promise(() => undefined), hosts });
  const endings: Promise<unknown>[] = [];
  for (let count = 0; count < many; count += 1) {
    endings.push(client.campaigns.get(1, { signal }));
    if (count < 50) endings.push(client.withOptions({ accountId: 2 }).templates.get(1, { signal }));
    endings.push(client.sending.batchAll([mail], { signal }).next());
    endings.push(client.sendingDomains.waitUntilVerified(1, { signal }));
  }
  await settle();
  controller.abort();
  const outcomes = await Promise.allSettled(endings);
  expect(outcomes).toHaveLength(3 * many + 50);
  await settle();
  expect(strays).toEqual([]);
});

describe('A hook', () => {
  const thenables: [string, () => unknown][] = [
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'returns a thenable that rejects',
      () => ({ then: (_: unknown, reject: (e: unknown) => void) => reject(trap) }),
    ],
    ['returns a thenable that throws', () => ({ then: thrower })],
    ['returns what cannot be read', () => trap],
    ['returns a revoked proxy', revoked],
    ['never settles', () => new Promise(() => undefined)],
    ['throws', thrower],
  ];
  test.each(thenables)('that %s does not disturb the call', async (_, hook) => {
    const hooks = { onRequest: hook, onResponse: hook, onRetry: hook, onThrottle: hook, onMismatch: hook };
    const schemas = {
      campaign: { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [] }) } },
    };
    const { client } = virtualClient({ fetch: ok, hosts, hooks: hooks, schemas: schemas as never });
    expect(await client.campaigns.get(1)).toEqual({ id: 1 });
    await settle();
    expect(strays).toEqual([]);
  });
});

test('an unreadable value is not an EmailPlatformError', () => {
  for (const value of HOSTILE) expect(value instanceof EmailPlatformError).toBe(false);
});
