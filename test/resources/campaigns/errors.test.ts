import {
  EmailPlatform,
  InvalidRequestError,
  LifecycleError,
  PermissionDeniedError,
  ValidationError,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { throughItsWaits, virtualClient, WALL_START } from '../../support/virtual-client.ts';

const draft = { name: 'n', domain_id: 301, from_local_part: 'f', template_attributes: { subject: 's' } };
const datetime = new Date(Date.now() + 3_600_000);

/** Every method, as called for a campaign that may not exist. */
const methods: Readonly<Record<string, (client: EmailPlatform, id: number) => PromiseLike<unknown>>> = {
  list: ({ campaigns }) => campaigns.list(),
  create: ({ campaigns }) => campaigns.create(draft),
  get: ({ campaigns }, id) => campaigns.get(id),
  update: ({ campaigns }, id) => campaigns.update(id, { name: 'x' }),
  delete: ({ campaigns }, id) => campaigns.delete(id),
  start: ({ campaigns }, id) => campaigns.start(id),
  schedule: ({ campaigns }, id) => campaigns.schedule(id, { datetime }),
  cancel: ({ campaigns }, id) => campaigns.cancel(id),
  reset: ({ campaigns }, id) => campaigns.reset(id),
  terminate: ({ campaigns }, id) => campaigns.terminate(id),
  stats: ({ campaigns }, id) => campaigns.stats(id),
};
const names = Object.keys(methods);
const call = (name: string, client: EmailPlatform, id = 7) =>
  methods[name]?.(client, id) ?? Promise.reject(new Error('There is no such method.'));

// What every method is refused with, such as a 401, is in test/spec/errors.test.ts.
describe.each(inMemoryAndOnAPort)('Errors, %s', (_, connect) => {
  test('403 a read-only token can read, and change nothing', async () => {
    const { emulator, connect: clientWith } = await connect();
    const client = clientWith({ token: emulator.createToken({ permissions: { campaigns: 'viewer' } }) });
    const id = emulator.campaigns.add();
    for (const name of names) {
      const isRead = ['list', 'get', 'stats'].includes(name);
      const outcome = Promise.resolve(call(name, client, id));
      if (isRead) await outcome;
      else await rejection(outcome, PermissionDeniedError);
    }
    expect(emulator.campaigns.stateOf(id)).toBe('draft');
  });

  test('422 validation failure on create, a map from field name to an array of messages', async () => {
    const { emulator, client } = await connect();
    const unverified = emulator.domains.list().find(({ verified }) => !verified)?.id ?? 0;
    const error = await rejection(
      client.campaigns.create({
        name: '',
        domain_id: unverified,
        from_local_part: '',
        template_attributes: { subject: '' },
      }),
      ValidationError,
    );
    expect(error.fieldErrors).toEqual({
      name: ["can't be blank"],
      from_local_part: ["can't be blank"],
      domain_id: ['must be a verified sending domain'],
      'template.subject': ["can't be blank"],
    });
    expect(error.message).toContain("name can't be blank");
    expect(await client.campaigns.list().toArray()).toEqual([]);
  });

  test('422 validation failure on update, a map from field name to an array of messages', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    const error = await rejection(client.campaigns.update(id, { name: '', domain_id: 999 }), ValidationError);
    expect(error.fieldErrors).toEqual({ name: ["can't be blank"], domain_id: ['must exist'] });
  });

  test('422 validation failure on delete, a map', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add({ state: 'finished' });
    const error = await rejection(client.campaigns.delete(id), ValidationError);
    expect(error.fieldErrors).toEqual({ base: ['Only draft campaigns can be deleted'] });
    expect(error.messages).toEqual(['Only draft campaigns can be deleted']);
  });

  test('422 lifecycle action rejected, a single string', async () => {
    const { emulator, client } = await connect();
    const error = await rejection(client.campaigns.cancel(emulator.campaigns.add()), LifecycleError);
    expect(error).toMatchObject({
      reasons: ["Cannot transition from 'draft' to 'draft'"],
      body: { errors: "Cannot transition from 'draft' to 'draft'" },
    });
  });

  test('422 sending validation failed, an array of strings', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add({ contact_list_ids: [] });
    const error = await rejection(client.campaigns.start(id), LifecycleError);
    expect(error).toMatchObject({
      reasons: ["Audience can't be blank"],
      body: { errors: ["Audience can't be blank"] },
    });
  });
});

test('429 is waited out, by the emulator’s clock', async () => {
  const emulator = createEmulator({
    now: () => WALL_START,
    limits: { token: { requests: 2, perMs: 10_000 } },
  });
  const waits: number[] = [];
  const onRetry = ({ delayMs }: EmailPlatform.RetryEvent) => {
    waits.push(delayMs);
    emulator.clock.advance(delayMs);
  };
  const { client, time } = virtualClient({
    ...emulator.clientOptions(),
    throttle: false,
    hooks: { onRetry },
  });
  const ids = [1, 2, 3].map(() => emulator.campaigns.add());
  for (const id of ids) await throughItsWaits(time, client.campaigns.get(id));
  expect(emulator.requests.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
  expect(waits).toEqual([10_000]);
});

describe('Arguments that cannot be right cost no request', () => {
  test.each(names)('%s', async (name) => {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    const wrong: Record<string, () => PromiseLike<unknown>> = {
      list: () => client.campaigns.list({ per_page: 101 }),
      create: () => client.campaigns.create({ ...draft, template_attributes: { subject: 'x'.repeat(256) } }),
      update: () => client.campaigns.update(1, { contact_list_ids: [0] }),
      schedule: () => client.campaigns.schedule(1, { datetime: 'tomorrow' }),
      stats: () => client.campaigns.stats(1, { start_date: 'today' }),
    };
    const error = await rejection(wrong[name]?.() ?? call(name, client, 0), InvalidRequestError);
    expect(error).toMatchObject({ effect: 'none', request: { operation: `campaigns.${name}`, attempts: 0 } });
    expect(error.issues).toHaveLength(1);
    expect(emulator.requests).toEqual([]);
  });
});
