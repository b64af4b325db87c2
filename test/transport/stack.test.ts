import { EmailPlatform, EmailPlatformError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { CALLS } from '../support/calls/calls.ts';
import { json, scriptedFetch, text } from '../support/scripted-fetch.ts';
import { rejection } from '../support/expect-error.ts';
import { examples } from '../entries/schemas/examples.ts';
import { virtualClient } from '../support/virtual-client.ts';

const hosts = {
  api: 'https://api.test',
  send: 'https://send.test',
  bulk: 'https://bulk.test',
  sandbox: 'https://sandbox.test',
};
const given = { text: 'hello', url: 'https://files.test' };

function clientOf(...turns: Parameters<typeof scriptedFetch>) {
  const { fetch } = scriptedFetch(...turns);
  return new EmailPlatform({ token: 'a-token-of-the-tests', hosts, fetch, retry: false, sandboxInboxId: 3 });
}

/** The position, as in a stack, of the line after the one that calls this. */
const nextLine = () => {
  const [, file = '', line = ''] =
    /([\w.-]+\.ts):(\d+):\d+/.exec(new Error().stack?.split('\n')[2] ?? '') ?? [];
  return `${file}:${Number(line) + 1}:`;
};

const firstFrame = (error: EmailPlatformError) => error.stack?.split('\n')[1] ?? '';

describe("An error's stack shows the line that made the call:", () => {
  test.each(CALLS.map((call) => [call.name, call] as const))('%s', async (_, { run }) => {
    // Not at once: what is still on the stack when a response arrives would be there by chance.
    const refused = clientOf(async (request) => {
      await Promise.resolve();
      return json(403, { errors: 'Access forbidden' })(request);
    });
    const error = await rejection(run(refused, {}, given), EmailPlatformError);
    expect(error.stack?.split('\n')[0]).toBe(`${error.name}: ${error.message}`);
    expect(error.stack).toMatch(/test\/support\/calls\/(calls|others)\.ts:\d+:\d+/);
  });

  test('for refused arguments', async () => {
    const line = nextLine();
    const error = await rejection(clientOf(json(200, {})).campaigns.get(0), EmailPlatformError);
    expect(error.stack).toContain(line);
  });

  test('for a list, however late its pages are read', async () => {
    const first = json(200, {
      data: [],
      pagination: { next_token: 2 },
    });
    const client = clientOf(first, text(500, 'no'));
    const line = nextLine();
    const list = client.campaigns.list();
    await Promise.resolve();
    const error = await rejection(
      (async () => {
        for await (const item of list) await Promise.resolve(item);
      })(),
      EmailPlatformError,
    );
    expect(error.stack).toContain(line);
  });

  test('for a list that leads back to an earlier page', async () => {
    const page = json(200, { messages: [], total_count: 0, next_page_cursor: 'again' });
    const client = clientOf(page);
    const line = nextLine();
    const list = client.emailLogs.list();
    const error = await rejection(list.toArray(), EmailPlatformError);
    expect([error.code, error.stack]).toEqual(['pagination_loop', expect.stringContaining(line)]);
  });

  test('for a wait, however many polls later it fails', async () => {
    const { client, time } = virtualClient({
      fetch: scriptedFetch(json(200, { ...examples.sendingDomain, dns_verified: false })).fetch,
    });
    const line = nextLine();
    const wait = client.sendingDomains.waitUntilVerified(1, { deadlineMs: 60_000 });
    const failed = rejection(wait, EmailPlatformError);
    await time.advance(70_000);
    expect((await failed).stack).toContain(line);
  });

  test.each(['not_sent', 'unknown'] as const)(
    'of batchAll, in the error of an outcome that is %s',
    async (status) => {
      const client = clientOf(status === 'unknown' ? text(502, '') : json(400, { errors: ['no'] }));
      const mail = { from: { email: 'a@b.test' }, to: [{ email: 'c@d.test' }], subject: 'S', text: 'T' };
      const line = nextLine();
      const run = client.sending.batchAll([mail]);
      for await (const outcome of run)
        expect([outcome.status, outcome.error?.stack]).toEqual([status, expect.stringContaining(line)]);
    },
  );

  test('for the errors of batchAll', async () => {
    const controller = new AbortController();
    const line = nextLine();
    const run = clientOf(json(200, {})).sending.batchAll([], { signal: controller.signal });
    controller.abort();
    const error = await rejection(run.next(), EmailPlatformError);
    expect(error.stack).toContain(line);
  });

  test("but not what the caller's own input throws", async () => {
    const own = new Error('mine');
    const { stack } = own;
    // oxlint-disable-next-line require-yield
    const failing = function* (): Generator<never> {
      throw own;
    };
    const run = clientOf(json(200, {})).sending.batchAll(failing());
    await expect(run.next()).rejects.toBe(own);
    expect(own.stack).toBe(stack);
  });
});

describe("An error's stack", () => {
  test('begins with the call, not with a line of the package', async () => {
    const error = await rejection(clientOf(json(404, {})).templates.get(1), EmailPlatformError);
    expect(firstFrame(error)).not.toContain('response-error');
  });

  test('has the name and the message alone where there are no frames', async () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      const call = clientOf(json(404, {})).templates.get(1);
      Error.stackTraceLimit = limit;
      const error = await rejection(call, EmailPlatformError);
      expect(error.stack).toBe(`${error.name}: ${error.message}`);
    } finally {
      Error.stackTraceLimit = limit;
    }
  });

  test('keeps a message with a dollar sign as it is', async () => {
    const error = await rejection(
      clientOf(json(404, { error: "$' $& $1" })).templates.get(1),
      EmailPlatformError,
    );
    expect(error.stack?.split('\n')[0]).toBe(`NotFoundError: templates.get failed with 404: $' $& $1`);
  });

  test('can be replaced, as tools do that rewrite stacks', async () => {
    const error = await rejection(clientOf(json(404, {})).templates.get(1), EmailPlatformError);
    error.stack = 'rewritten';
    expect(error.stack).toBe('rewritten');
  });
});
