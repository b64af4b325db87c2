import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWebhook, type WebhookEvent } from 'email-platform/webhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TRIGGER_TYPES } from '../../src/testing/trigger/sample-events.ts';
import { keepGlobals } from '../support/kept-globals.ts';
import { receivers } from '../support/receivers.ts';
import { cli } from './in-process.ts';

// Hono's server replaces them.
keepGlobals('Request', 'Response');

const SECRET = 'a'.repeat(32);
const env = { EMAIL_PLATFORM_WEBHOOK_SECRET: SECRET };

interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that keeps what is posted to it, and responds as it is told. */
async function receiver(status = 200, response = '{"ok":true}', headers = {}) {
  const posts: Post[] = [];
  const server: Server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      posts.push({ headers: request.headers, body });
      reply.writeHead(status, headers).end(response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())));
  const { port } = server.address() as AddressInfo;
  return { posts, to: `localhost:${port}/hooks`, port };
}

/** A file that is there until the test is over. */
function fileWith(contents: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'trigger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'event.json'), contents);
  return join(folder, 'event.json');
}

const firstEvent = (body = ''): Record<string, unknown> =>
  (JSON.parse(body) as { events: [Record<string, unknown>] }).events[0];

describe('email-platform trigger', () => {
  test.each(Object.entries(receivers))(
    'is read by a receiver on %s, as the guide has it',
    async (_, start) => {
      const seen: WebhookEvent[] = [];
      const server = await start({ secret: () => SECRET, handle: (events) => void seen.push(...events) });
      onTestFinished(server.close);
      for (const type of TRIGGER_TYPES) {
        const { code, out } = await cli(['trigger', type, '--to', server.url], { env: { ...env } });
        expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^${type} → 200 in \\d+ ms`))]);
      }
      expect(seen.map(({ event_type: type }) => type)).toEqual([
        'delivery',
        'soft_bounce',
        'bounce',
        'suspension',
        'unsubscribe',
        'open',
        'spam',
        'click',
        'reject',
        'inbound.message_received',
        'activity_log.webhook.updated',
      ]);
      const wrong = await cli(['trigger', 'bounce', '--to', server.url], {
        env: { EMAIL_PLATFORM_WEBHOOK_SECRET: 'another' },
      });
      expect(wrong.code).toBe(1);
      expect(wrong.err).toContain(
        'check that the receiver verifies with the secret in EMAIL_PLATFORM_WEBHOOK_SECRET',
      );
    },
  );

  test('--set changes fields, and fields in fields', async () => {
    const { posts, to } = await receiver();
    const set = [
      '--set',
      'email=bob@example.org',
      '--set',
      'custom_variables.order=7',
      '--set',
      'reason=a=b',
    ];
    const { code, out } = await cli(['trigger', 'bounce', '--to', to, ...set], { env: { ...env } });
    expect([code, out]).toEqual([0, expect.stringMatching(/^bounce → 200 in \d+ ms {3}\{"ok":true\}\n$/)]);
    expect(firstEvent(posts[0]?.body)).toMatchObject({
      event: 'bounce',
      email: 'bob@example.org',
      custom_variables: { order: 7 },
      reason: 'a=b',
    });
  });

  test('--twice posts the same event again; --json prints a line for each', async () => {
    const { posts, to } = await receiver();
    const { code, out } = await cli(['trigger', 'click', '--to', to, '--twice', '--json'], {
      env: { ...env },
    });
    expect(code).toBe(0);
    expect(posts).toHaveLength(2);
    expect(posts[1]?.body).toBe(posts[0]?.body);
    expect(posts[1]?.headers['x-webhook-signature']).toBe(posts[0]?.headers['x-webhook-signature']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      [1, 2].map(() => ({
        event: 'click',
        status: 200,
        durationMs: expect.any(Number) as unknown,
        response: '{"ok":true}',
      })),
    );
  });

  test('several types are the events of one email; --shuffle posts them in another order, --twice each two times', async () => {
    const types = ['delivery', 'open', 'click'];
    const postedBy = async (...options: readonly string[]) => {
      const { posts, to } = await receiver();
      expect((await cli(['trigger', ...types, '--to', to, ...options], { env: { ...env } })).code).toBe(0);
      return posts.map(({ body }) => firstEvent(body));
    };
    const plain = await postedBy();
    expect(plain.map(({ event }) => event)).toEqual(types);
    expect(new Set(plain.map(({ message_id: id }) => id)).size).toBe(1);
    expect(new Set(plain.map(({ event_id: id }) => id)).size).toBe(3);
    const [first = 0, ...later] = plain.map(({ timestamp }) => Number(timestamp));
    expect(later).toEqual([first + 1, first + 2]);
    for (let run = 0; run < 20; run += 1) {
      const shuffled = await postedBy('--shuffle');
      expect(shuffled.map(({ event }) => event)).not.toEqual(types);
      expect(shuffled.map(({ event }) => event).sort()).toEqual([...types].sort());
    }
    const twice = await postedBy('--shuffle', '--twice');
    expect(twice).toHaveLength(6);
    expect(new Set(twice.map(({ event_id: id }) => id)).size).toBe(3);
  });

  test('--set also changes the fields that several events share', async () => {
    const { posts, to } = await receiver();
    const set = ['--set', 'message_id="m-7"', '--set', 'timestamp=1767225600'];
    const { code } = await cli(['trigger', 'delivery', 'open', '--to', to, ...set], { env: { ...env } });
    expect(code).toBe(0);
    expect(posts.map(({ body }) => firstEvent(body))).toMatchObject(
      ['delivery', 'open'].map((event) => ({ event, message_id: 'm-7', timestamp: 1_767_225_600 })),
    );
  });

  test('an event that is of no email shares nothing with those of an email', async () => {
    const { posts, to } = await receiver();
    const types = ['delivery', 'inbound.message_received', 'open'];
    expect(await cli(['trigger', ...types, '--to', to], { env: { ...env } })).toMatchObject({
      code: 0,
      err: '',
    });
    const [delivery, received, open] = posts.map(({ body }) => firstEvent(body));
    expect(open?.message_id).toBe(delivery?.message_id);
    expect(Object.values(received ?? {})).not.toContain(delivery?.message_id);
  });

  test('--body posts a file as it is, signed', async () => {
    const { posts, to } = await receiver();
    const body = '{"events": [ {"event":"open","email":"ä@example.org"} ]}\n';
    expect((await cli(['trigger', '--body', fileWith(body), '--to', to], { env: { ...env } })).code).toBe(0);
    expect(posts[0]?.body).toBe(body);
    const events = await readWebhook({ payload: body, headers: posts[0]?.headers ?? {} }, { secret: SECRET });
    expect(events).toHaveLength(1);
  });

  test('makes a secret where none is set, and prints only that one', async () => {
    const { posts, to } = await receiver();
    const { out } = await cli(['trigger', 'open', '--to', to]);
    const [, secret = ''] = /^# EMAIL_PLATFORM_WEBHOOK_SECRET=([\da-f]{32})\n/.exec(out) ?? [];
    const post = { payload: posts[0]?.body ?? '', headers: posts[0]?.headers ?? {} };
    expect(await readWebhook(post, { secret })).toHaveLength(1);
    expect((await cli(['trigger', 'open', '--to', to], { env: { ...env } })).out).not.toContain(SECRET);
    const { out: json } = await cli(['trigger', 'open', '--to', to, '--json']);
    expect(JSON.parse(json)).toMatchObject({ secret: expect.stringMatching(/^[\da-f]{32}$/) as unknown });
    const { out: both } = await cli(['trigger', 'delivery', 'open', '--to', to]);
    const [made, ...others] = both.match(/(?<=^# EMAIL_PLATFORM_WEBHOOK_SECRET=).*$/gm) ?? [];
    expect(others).toEqual([]);
    for (const { body, headers } of posts.slice(-2))
      expect(await readWebhook({ payload: body, headers }, { secret: made ?? '' })).toHaveLength(1);
  });

  test('the header has the name of the option, or else of the variable', async () => {
    const { posts, to } = await receiver();
    const named = { ...env, EMAIL_PLATFORM_WEBHOOK_SIGNATURE_HEADER: 'x-by-variable' };
    await cli(['trigger', 'open', '--to', to], { env: { ...named } });
    await cli(['trigger', 'open', '--to', to, '--signature-header', 'x-by-option'], { env: { ...named } });
    const signed = posts.map(({ headers }) =>
      Object.keys(headers).filter((name) => /^[\da-f]{64}$/.test(String(headers[name]))),
    );
    expect(signed).toEqual([['x-by-variable'], ['x-by-option']]);
  });

  test.each([
    [204, {}, 'only 200 is success'],
    [201, {}, 'only 200 is success'],
    [302, { location: 'http://127.0.0.1:1/' }, 'the service follows no redirect'],
    [401, {}, 'check that the receiver verifies with the secret'],
    [403, {}, 'check that the receiver verifies with the secret'],
    [404, {}, 'check the path of --to'],
    [405, {}, 'check the path of --to'],
    [500, {}, 'the service would post again'],
  ])('a receiver that responds with %i: exit 1, with what to do', async (status, headers, remedy) => {
    const { posts, to } = await receiver(status, 'no', headers);
    const { code, out, err } = await cli(['trigger', 'open', '--to', to], { env: { ...env } });
    expect([code, posts.length]).toEqual([1, 1]);
    expect(out).toContain(`open → ${status}`);
    expect(err).toContain(remedy);
  });

  test('a receiver that does not run: exit 1, with what to do', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((closed) => server.close(() => closed()));
    const args = ['trigger', 'open', '--to', `127.0.0.1:${port}/hooks`];
    const { code, err } = await cli(args, { env: { ...env } });
    expect([code, err]).toEqual([1, expect.stringContaining('is the receiver running, at this port?')]);
  });

  test('a response is shown without control characters, and 2 kB of it', async () => {
    const { to } = await receiver(200, `\u001B[2Jhidden\u202E\r\n${'x'.repeat(5_000)}`);
    const { out } = await cli(['trigger', 'open', '--to', to], { env: { ...env } });
    for (const hidden of ['\u001B', '\u202E', '\r']) expect(out).not.toContain(hidden);
    expect(out).toMatch(/ {3}\[2Jhidden x+ … \(\d+ bytes\)\n$/);
    expect(out.length).toBeLessThan(2_200);
  });

  test('another machine is asked about; without a terminal it is refused', async () => {
    const args = ['trigger', 'bounce', '--to', 'https://shop.example.com/hooks'];
    const { code, err } = await cli(args, { env: { ...env } });
    expect([code, err]).toEqual([2, expect.stringContaining('Needs --yes to post to another machine')]);
    const questions: string[] = [];
    const ask = (question: string) => {
      questions.push(question);
      return Promise.resolve('n');
    };
    const refused = await cli(args, { env: { ...env }, ask });
    expect([refused.code, refused.err]).toEqual([1, 'Nothing was posted.\n']);
    expect(questions).toEqual([expect.stringContaining('shop.example.com is another machine')]);
    const agreed = await cli(['trigger', 'open', '--to', 'http://receiver.invalid/hooks', '--yes'], {
      env: { ...env },
    });
    expect([agreed.code, agreed.err]).toEqual([
      1,
      expect.stringContaining('receiver.invalid/hooks did not respond'),
    ]);
  });

  test('--list has the types', async () => {
    expect(await cli(['trigger', '--list'])).toEqual({
      code: 0,
      out: `${TRIGGER_TYPES.join('\n')}\n`,
      err: '',
    });
  });

  test.each([
    [['bouncd', '--to', 'localhost:1'], "Unknown type 'bouncd'; did you mean `bounce`?"],
    [['open'], 'Needs --to <address>'],
    [['--to', 'localhost:1'], 'Needs either a type or --body <file>'],
    [['open', '--body', 'x', '--to', 'localhost:1'], 'Needs either a type or --body <file>'],
    [
      ['--body', new URL(import.meta.url).pathname, '--to', 'localhost:1', '--set', 'email=x'],
      '--set has no effect with --body',
    ],
    [['open', '--to', 'ftp://localhost'], '--to must be an address such as localhost:3000/hooks'],
    [['open', '--to', 'localhost:1', '--set', 'emial=x'], 'open has no field "emial"; did you mean `email`?'],
    [['open', '--to', 'localhost:1', '--set', 'custom_variable.order=7'], 'did you mean `custom_variables`?'],
    [
      ['inbound.message_received', '--to', 'localhost:1', '--set', 'email=x'],
      'Its fields are event, event_id',
    ],
    [['activity_log.webhook.updated', '--to', 'localhost:1', '--set', 'actr.id=2'], 'did you mean `actor`?'],
    [['open', '--to', 'localhost:1', '--shuffle'], '--shuffle needs two types or more'],
    [['open', 'clik', '--to', 'localhost:1'], "Unknown type 'clik'; did you mean `click`?"],
    [['open', '--set', 'email', '--to', 'localhost:1'], '--set must look like email=ann@example.org'],
    [['open', '--set', '=x', '--to', 'localhost:1'], '--set must look like email=ann@example.org, not "=x"'],
  ])('%j is invalid, exit 2', async (args, message) => {
    const { code, out, err } = await cli(['trigger', ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});

test.each([
  ['spam_complaint', 'spam'],
  ['opened', 'open'],
  ['hard_bounce', 'bounce'],
  ['bonce', 'bounce'],
])('the name %s of another service suggests %s', async (given, meant) => {
  const { code, err } = await cli(['trigger', given, '--to', 'localhost:9'], {});
  expect([code, err]).toEqual([2, expect.stringContaining(`did you mean \`${meant}\`?`)]);
});
