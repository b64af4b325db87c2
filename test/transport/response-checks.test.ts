import {
  type EmailPlatform,
  AbortedError,
  ResponseFormatError,
  TimeoutError,
  type EmailPlatformOptions,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { rejection } from '../support/expect-error.ts';
import { empty, json, lost, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';
import { examples } from '../entries/schemas/examples.ts';

const draft = { name: 'n', domain_id: 1, from_local_part: 'f', template_attributes: { subject: 's' } };
const odd = { ...examples.campaign, name: 5 };
const mail = { from: { email: 'a@example.com' }, to: [{ email: 'b@example.com' }], subject: 's', text: 't' };

/** A schema with this `validate` function. */
const schemaThat = (
  validate: EmailPlatform.StandardSchema['~standard']['validate'],
): EmailPlatform.StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
});
const throwing = schemaThat(() => {
  throw new Error('schema');
});
const silent = schemaThat(() => new Promise(() => undefined));

function setUp(turn: Turn, options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(turn);
  const events: EmailPlatform.MismatchEvent[] = [];
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  const onMismatch = (event: EmailPlatform.MismatchEvent) => void events.push(event);
  const { client, time } = virtualClient({ fetch, schemas, hosts, hooks: { onMismatch }, ...options });
  return { client, sent, time, events };
}

const throws = { validateResponses: 'throw' } as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('A response that does not match its schema', () => {
  test('is reported, and returned as it is', async () => {
    const { client, events } = setUp(json(200, { data: odd }));
    expect(await client.campaigns.get(1)).toEqual(odd);
    await until(() => events.length === 1);
    expect(events).toEqual([
      {
        callId: expect.any(String) as unknown,
        operation: 'campaigns.get',
        method: 'GET',
        host: 'api',
        path: '/api/email_campaigns/1',
        attempt: 1,
        issues: [{ path: 'name', message: 'Invalid input: expected string, received number' }],
      },
    ]);
    expect(Object.isFrozen(events[0])).toBe(true);
  });

  test.each<[string, Turn, (client: ReturnType<typeof setUp>['client']) => PromiseLike<unknown>, string[]]>([
    ['the content of data', json(200, { data: odd }), ({ campaigns }) => campaigns.get(1), ['name']],
    [
      'a page',
      json(200, { ...examples.campaignPage, data: [odd] }),
      ({ campaigns }) => campaigns.list(),
      ['data[0].name'],
    ],
    [
      'a page under data',
      json(200, { data: [{ ...examples.sendingDomain, id: '1' }] }),
      ({ sendingDomains }) => sendingDomains.list(),
      ['data[0].id'],
    ],
    [
      'a bare list',
      json(200, [{ ...examples.template, id: 'x' }]),
      ({ templates }) => templates.list(),
      ['[0].id'],
    ],
    [
      'a bare object',
      json(200, { ...examples.template, id: 'x' }),
      ({ templates }) => templates.get(1),
      ['id'],
    ],
    [
      'a send, before it is completed',
      json(200, { success: 'yes', message_ids: [7] }),
      ({ sending }) => sending.send(mail),
      ['success', 'message_ids[0]'],
    ],
    [
      'a batch, before it is completed',
      json(200, { responses: [{ success: true, errors: 'no' }] }),
      ({ sending }) => sending.batch({ requests: [mail] }),
      ['success', 'responses[0].errors'],
    ],
  ])('is described as the method returns it: %s', async (_, turn, call, paths) => {
    const { client, events } = setUp(turn);
    await call(client);
    await until(() => events.length === 1);
    expect(events[0]?.issues.map(({ path }) => path)).toEqual(paths);
    const error = await rejection(call(setUp(turn, throws).client), ResponseFormatError);
    expect(error.issues.map(({ path }) => path)).toEqual(paths);
  });

  test('is reported after the result if the schema is asynchronous', async () => {
    let finish: (value: { issues: { message: string }[] }) => void = () => undefined;
    const campaign = schemaThat(() => new Promise((resolve) => (finish = resolve)));
    const { client, events } = setUp(json(200, { data: odd }), { schemas: { campaign } });
    expect(await client.campaigns.get(1)).toEqual(odd);
    expect(events).toEqual([]);
    finish({ issues: [{ message: 'too late' }] });
    await until(() => events.length === 1);
    expect(events[0]?.issues).toEqual([{ path: 'body', message: 'too late' }]);
  });

  test('is not looked for in an error response, nor without a response', async () => {
    for (const turn of [json(404, odd), lost]) {
      const { client, events, time } = setUp(turn, { retry: false });
      await expect(throughItsWaits(time, client.campaigns.get(1))).rejects.toBeInstanceOf(Error);
      await settled();
      expect(events).toEqual([]);
    }
  });

  test('is returned even if the hook throws', async () => {
    const onMismatch = () => {
      throw new Error('hook');
    };
    expect(await setUp(json(200, { data: odd }), { hooks: { onMismatch } }).client.campaigns.get(1)).toEqual(
      odd,
    );
  });

  test.each<[string, EmailPlatform.StandardSchema]>([
    ['throws', throwing],
    ['rejects', schemaThat(() => Promise.reject(new Error('schema')))],
    ['never settles', silent],
    ['returns nothing', schemaThat(() => undefined as never)],
    ['reports invalid issues', schemaThat(() => ({ issues: [null] as never }))],
  ])('has no effect if its schema %s', async (_, campaign) => {
    const { client, events } = setUp(json(200, { data: odd }), { schemas: { campaign } });
    expect(await client.campaigns.get(1)).toEqual(odd);
    await settled();
    expect(events).toEqual([]);
  });
});

describe('With validateResponses: throw', () => {
  test('a mismatch is an error, and is reported as well', async () => {
    const { client, events, sent } = setUp(json(200, { data: odd }), throws);
    const error = await rejection(client.campaigns.get(1), ResponseFormatError);
    expect(error).toMatchObject({
      code: 'response_format',
      effect: 'none',
      issues: [{ path: 'name', message: 'Invalid input: expected string, received number' }],
      message:
        'campaigns.get returned 200, but the body does not match the schema: name: Invalid input: expected string, received number; application/json; charset=utf-8',
    });
    expect(events.map(({ issues }) => issues)).toEqual([error.issues]);
    expect(sent).toHaveLength(1);
  });

  test.each<[string, (client: ReturnType<typeof setUp>['client']) => PromiseLike<unknown>, unknown]>([
    ['a create', ({ campaigns }) => campaigns.create(draft), { data: odd }],
    ['an action', ({ campaigns }) => campaigns.start(1), { data: odd }],
    ['a send', ({ sending }) => sending.send(mail), { success: true, message_ids: [7] }],
  ])('%s with such a response may have been carried out, and is not retried', async (_, call, body) => {
    const { client, sent } = setUp(json(200, body), throws);
    const error = await rejection(call(client), ResponseFormatError);
    expect(error.effect).toBe('unknown');
    expect(sent).toHaveLength(1);
  });

  test('a matching response is returned unchanged, not as the schema’s output', async () => {
    const transforming = z.looseObject({ name: z.string().transform((name) => name.length) });
    const { client, events } = setUp(json(200, { data: { ...examples.campaign, more: 1 } }), {
      ...throws,
      schemas: { campaign: transforming },
    });
    expect(await client.campaigns.get(1)).toEqual({ ...examples.campaign, more: 1 });
    expect(events).toEqual([]);
  });

  test('a schema that fails is an error that says so, with its cause', async () => {
    for (const [call, effect] of [
      ['get', 'none'],
      ['start', 'unknown'],
    ] as const) {
      const { client } = setUp(json(200, { data: odd }), { ...throws, schemas: { campaign: throwing } });
      const error = await rejection(client.campaigns[call](1), ResponseFormatError);
      expect(error.message).toContain('could not be checked, because its schema failed');
      expect([error.cause, error.effect, error.issues]).toEqual([new Error('schema'), effect, []]);
    }
  });

  test('a schema that never settles is ended by the signal', async () => {
    const controller = new AbortController();
    const { client, sent } = setUp(json(200, { data: odd }), { ...throws, schemas: { campaign: silent } });
    const call = client.campaigns.start(1, { signal: controller.signal });
    const outcome = rejection(call, AbortedError);
    await until(() => sent.length === 1);
    await settled();
    controller.abort();
    expect((await outcome).effect).toBe('unknown');
  });

  test('a schema that never settles is ended by the deadline', async () => {
    const { client, time } = setUp(json(200, { data: odd }), { ...throws, schemas: { campaign: silent } });
    const call = throughItsWaits(time, client.campaigns.get(1, { deadlineMs: 1000 }));
    expect(await rejection(call, TimeoutError)).toMatchObject({ kind: 'deadline', effect: 'none' });
  });

  test('a call whose signal a hook aborted is ended too', async () => {
    const controller = new AbortController();
    const hooks = { onResponse: () => controller.abort() };
    const { client } = setUp(json(200, { data: odd }), { ...throws, hooks, schemas: { campaign: silent } });
    await rejection(client.campaigns.get(1, { signal: controller.signal }), AbortedError);
  });

  test('a method without a result is not checked', async () => {
    const { client } = setUp(empty(204), throws);
    await expect(client.campaigns.delete(1)).resolves.toBeUndefined();
    await expect(client.accounts.accesses.remove(1)).resolves.toEqual({ id: 1 });
  });
});

describe('Which responses are checked', () => {
  /** How many values were validated by each schema while these options were in force. */
  async function counted(more: EmailPlatformOptions): Promise<number> {
    let count = 0;
    const campaign = schemaThat((value) => {
      count += 1;
      return { value };
    });
    const { client } = setUp(json(200, { data: odd }), { schemas: { campaign }, ...more });
    await client.campaigns.get(1);
    await settled();
    return count;
  }

  test('none, if mismatches would be neither reported nor thrown', async () => {
    expect(await counted({ hooks: {} })).toBe(0);
    expect(await counted({ hooks: {}, ...throws })).toBe(1);
    expect(await counted({})).toBe(1);
    expect(await counted({ validateResponses: 'report' })).toBe(1);
  });

  test('responses with a schema', async () => {
    const some: EmailPlatform.ResponseSchemas = { template: schemas.template, campaign: undefined };
    const { client } = setUp(json(200, { data: odd }), { ...throws, schemas: some });
    expect(await client.campaigns.get(1)).toEqual(odd);
    await rejection(
      setUp(json(200, odd), { ...throws, schemas: some }).client.templates.get(1),
      ResponseFormatError,
    );
  });

  test('responses of a derived client as well', async () => {
    const { client, events } = setUp(json(200, { data: odd }));
    await rejection(client.withOptions(throws).campaigns.get(1), ResponseFormatError);
    await client.withOptions({ token: 'other' }).campaigns.get(1);
    await until(() => events.length === 2);
  });

  test('responses with your own schemas, derived from those of the package or not', async () => {
    const template = schemas.template.extend({ reviewed_by: z.string() });
    const turn = json(200, examples.template);
    const { client } = setUp(turn, { ...throws, schemas: { ...schemas, template } });
    const error = await rejection(client.templates.get(1), ResponseFormatError);
    expect(error.issues.map(({ path }) => path)).toEqual(['reviewed_by']);
    const own = schemaThat(() => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0] }] }));
    const { client: other } = setUp(turn, { ...throws, schemas: { template: own } });
    expect((await rejection(other.templates.get(1), ResponseFormatError)).issues).toEqual([
      { path: 'a[0]', message: 'no' },
    ]);
  });
});

test('a schema passed to client.request that throws causes a ResponseFormatError', async () => {
  const { client } = setUp(json(200, {}));
  const call = client.request({ method: 'POST', path: '/api/x', schema: throwing });
  expect(await rejection(call, ResponseFormatError)).toMatchObject({
    effect: 'unknown',
    cause: new Error('schema'),
  });
});
