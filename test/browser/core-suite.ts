import {
  AbortedError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  EmailPlatform,
  InvalidRequestError,
  LifecycleError,
  NotFoundError,
  RateLimitError,
  RecipientRefusedError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  ValidationError,
  type EmailPlatformOptions,
} from 'email-platform';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fromAsync } from '../support/from-async.ts';
import { startEmulator, type RemoteEmulator } from './remote-emulator.ts';

const springAt = (domain_id: number): EmailPlatform.CampaignCreateParams => ({
  name: 'Spring',
  domain_id,
  from_local_part: 'news',
  template_attributes: { subject: 'Hello', body_html: '<p>Hello</p>', body_text: 'Hello' },
  contact_list_ids: [1],
});

/**
 * Tests that a client must pass in every runtime, over a real socket. `local` are the options for the current runtime.
 */
export function coreSuite(local: EmailPlatformOptions): void {
  let emulator: RemoteEmulator;
  let client: EmailPlatform;
  let spring: EmailPlatform.CampaignCreateParams;
  const connect = (options: EmailPlatformOptions = {}) =>
    new EmailPlatform({ ...emulator.connection, retry: false, ...local, ...options });

  beforeEach(async () => {
    emulator = await startEmulator();
    spring = springAt(emulator.domainId);
    client = connect();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await emulator.stop();
  });

  describe('campaigns', () => {
    test('are created, read, updated, listed and deleted', async () => {
      const draft = await client.campaigns.create(spring);
      expect(draft).toMatchObject({ name: 'Spring', current_state: 'draft', template: { subject: 'Hello' } });
      expect((await client.campaigns.get(draft.id)).template.body_html).toBe('<p>Hello</p>');
      const updated = await client.campaigns.update(draft.id, { name: 'Frühling 🌱' });
      expect(updated.name).toBe('Frühling 🌱');
      expect((await client.campaigns.list({ search: 'FRÜHLING' })).items).toHaveLength(1);
      await expect(client.campaigns.delete(draft.id)).resolves.toBeUndefined();
      await expect(client.campaigns.get(draft.id)).rejects.toBeInstanceOf(NotFoundError);
    });

    test('are scheduled, cancelled, started, terminated and counted', async () => {
      const { id } = await client.campaigns.create(spring);
      const datetime = new Date(Date.now() + 3_600_000);
      expect((await client.campaigns.schedule(id, { datetime })).current_state).toBe('scheduled');
      expect((await client.campaigns.cancel(id)).current_state).toBe('draft');
      expect((await client.campaigns.start(id)).current_state).toBe('started');
      expect((await client.campaigns.stats(id)).sent_count).toBeGreaterThanOrEqual(0);
      expect((await client.campaigns.terminate(id)).current_state).toBe('terminating');
    });
  });

  test('a list yields every page, and leaving the loop sends nothing more', async () => {
    for (let n = 1; n <= 5; n += 1) await client.campaigns.create({ ...spring, name: `Campaign ${n}` });
    const names: string[] = [];
    for await (const campaign of client.campaigns.list({ per_page: 2 })) names.push(campaign.name);
    expect(names).toEqual([5, 4, 3, 2, 1].map((n) => `Campaign ${n}`));
    for await (const campaign of client.campaigns.list({ per_page: 2 })) {
      if (campaign.name === 'Campaign 5') break;
    }
    const lists = (await emulator.requests()).filter(({ method }) => method === 'GET');
    expect(lists.map(({ query }) => query)).toEqual([
      '?per_page=2',
      '?per_page=2&token=2',
      '?per_page=2&token=3',
      '?per_page=2',
    ]);
  });

  test.skipIf(!fromAsync)('Array.fromAsync reads a whole list', async () => {
    for (let n = 1; n <= 3; n += 1) await client.campaigns.create({ ...spring, name: `Campaign ${n}` });
    const campaigns = await fromAsync?.(client.campaigns.list({ per_page: 2 }));
    expect(campaigns?.map(({ name }) => name)).toEqual([3, 2, 1].map((n) => `Campaign ${n}`));
  });

  test('withResponse returns the status', async () => {
    const { id } = await client.campaigns.create(spring);
    const { data, response } = await client.campaigns.get(id).withResponse();
    expect(data.id).toBe(id);
    expect(response.status).toBe(200);
  });

  describe('a failure is an error of its own class', () => {
    test('when the service refuses a request', async () => {
      const { id } = await client.campaigns.create(spring);
      const failure = await client.campaigns.create({ ...spring, name: '' }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ValidationError);
      expect((failure as ValidationError).fieldErrors).toHaveProperty('name');
      await expect(client.campaigns.cancel(id)).rejects.toBeInstanceOf(LifecycleError);
      await expect(client.campaigns.get(4_000_000)).rejects.toBeInstanceOf(NotFoundError);
      const stranger = connect({ token: 'nobody' });
      await expect(stranger.campaigns.get(id)).rejects.toBeInstanceOf(AuthenticationError);
    });

    test('when a gateway responds instead of the service', async () => {
      await emulator.fault({ kind: 'html' });
      await expect(client.campaigns.get(1)).rejects.toMatchObject({ status: 502 });
      await emulator.fault({ kind: 'status', status: 503 });
      await expect(client.campaigns.get(1)).rejects.toBeInstanceOf(ServerError);
      await emulator.fault({ kind: 'html', status: 200 });
      await expect(client.campaigns.get(1)).rejects.toBeInstanceOf(ResponseFormatError);
    });

    test('when the connection fails', async () => {
      // Many times, because Chromium repeats a request by itself if a connection that was used before is reset.
      await emulator.fault({ kind: 'reset-before', match: { method: 'POST' }, times: 100 });
      await expect(client.campaigns.create(spring)).rejects.toBeInstanceOf(ConnectionError);
      await emulator.fault({ kind: 'truncate', match: { method: 'GET' } });
      await expect(client.campaigns.list().toArray()).rejects.toMatchObject({ effect: 'unknown' });
      const gone = await startEmulator();
      await gone.stop();
      const lost = await connect(gone.connection)
        .campaigns.create(spring)
        .catch((error: unknown) => error);
      expect(lost).toBeInstanceOf(ConnectionError);
      expect(lost).toMatchObject({ request: { operation: 'campaigns.create', attempts: 1 } });
    });

    test('when arguments are invalid, before anything is sent', async () => {
      const wrong = client.campaigns.list({ per_page: 1000, token: 0 });
      await expect(wrong.toArray()).rejects.toBeInstanceOf(InvalidRequestError);
      expect(await emulator.requests()).toEqual([]);
    });
  });

  test('a guard for recipients knows a domain of other letters in both of its forms', async () => {
    const guarded = connect({ recipients: { allow: ['@bücher.example'] } });
    const mail = { from: 'hello@mail.example.com', subject: 'Hi', text: 'Hello' };
    for (const to of ['ann@bücher.example', 'ann@XN--BCHER-KVA.example'])
      expect((await guarded.sending.send({ ...mail, to })).message_ids).toHaveLength(1);
    for (const to of [
      'ann@bucher.example',
      'ann@bücher。example',
      'ann@bücher.example, bob@customer.example',
    ])
      await expect(guarded.sending.send({ ...mail, to: [{ email: to }] })).rejects.toBeInstanceOf(
        RecipientRefusedError,
      );
  });

  test('a 429 is an error if retries are off', async () => {
    await emulator.stop();
    emulator = await startEmulator({ window: 'fixed', limits: { token: { requests: 2, perMs: 60_000 } } });
    const unlimited = connect({ throttle: false });
    for (let n = 0; n < 2; n += 1) await unlimited.campaigns.list();
    const refused = await unlimited.campaigns.list().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(RateLimitError);
  });

  test('a read whose connection was lost is retried', async () => {
    // Makes the wait before the retry 0: it is multiplied by the random number.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { id } = await client.campaigns.create(spring);
    await emulator.fault({ kind: 'reset-after' });
    const campaign = await client.campaigns.get(id, { retry: { maxRetries: 1 } });
    expect(campaign.id).toBe(id);
    expect((await emulator.requests()).slice(1)).toHaveLength(2);
  });

  test('a timeout ends a call without a response, and one whose body stops', async () => {
    const { id } = await client.campaigns.create(spring);
    for (const kind of ['stall', 'stall-body'] as const) {
      await emulator.fault({ kind });
      const late = await client.campaigns.get(id, { timeoutMs: 100 }).catch((error: unknown) => error);
      expect(late).toBeInstanceOf(TimeoutError);
      expect(late).toMatchObject({ kind: 'attempt' });
    }
    await emulator.fault({ kind: 'stall' });
    await expect(client.campaigns.get(id, { deadlineMs: 100 })).rejects.toMatchObject({ kind: 'deadline' });
  });

  test('a signal ends a call before it is sent, and in flight', async () => {
    const { id } = await client.campaigns.create(spring);
    const early = client.campaigns.get(id, { signal: AbortSignal.abort() });
    await expect(early).rejects.toMatchObject({ name: 'AbortError', effect: 'none' });
    const controller = new AbortController();
    await emulator.fault({ kind: 'stall' });
    const call = client.campaigns.get(id, { signal: controller.signal }).catch((error: unknown) => error);
    while ((await emulator.requests()).length < 2);
    controller.abort(new Error('enough'));
    const aborted = await call;
    expect(aborted).toBeInstanceOf(AbortedError);
    expect(aborted).toMatchObject({ effect: 'unknown', cause: { message: 'enough' } });
  });

  test('a redirect is refused, and the token is not sent to its target', async () => {
    await emulator.fault({
      kind: 'status',
      status: 302,
      headers: { location: `${emulator.connection.hosts.api}/api/email_campaigns/2` },
    });
    const refused = await client.campaigns.get(1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: 'redirect_refused' });
    expect(await emulator.requests()).toHaveLength(1);
  });

  test('a token function and the Api-Token header work', async () => {
    const { id } = await client.campaigns.create(spring);
    const { token } = emulator.connection;
    const asked = connect({ token: () => Promise.resolve(token), auth: 'api-token' });
    expect((await asked.campaigns.get(id)).id).toBe(id);
  });
}
