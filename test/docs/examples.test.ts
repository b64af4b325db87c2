import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bundledProgram } from '../support/programs.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { describeWithRedis } from '../support/redis/with-redis.ts';
import { root } from './snippets.ts';

const tsx = `${root}node_modules/tsx/dist/cli.mjs`;

/** Runs an example in a process of its own; one that fails, or does not end by itself, is an error. */
async function run(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = Object.entries(process.env).filter(
    ([name]) => !/^(EMAIL_PLATFORM|VITEST|FORCE_COLOR|REDIS)/.test(name),
  );
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
    cwd: root,
    env: { ...Object.fromEntries(env), ...more },
    // Only finds a program that hangs: on a busy machine, all examples at once take more than a minute.
    timeout: 170_000,
  });
  expect(stderr).toBe('');
  return stdout;
}

// The end-to-end test is run with the others.
const tested = new Set([
  'print.ts',
  'csv.ts',
  'subscribers.ts',
  'signup-mail.test.ts',
  'signup-shop.ts',
  'test_signup.py',
]);

function example(file: string, check: (output: string) => void): void {
  tested.add(file);
  test.concurrent(file, async () => {
    check(await run([bundledProgram(`${root}examples/${file}`)]));
  });
}

example('newsletter-to-subscribers.ts', (output) => {
  const [, sent = ''] = output.split('The newsletter');
  expect(sent.match(/\S+@\S+/g)).toEqual(['cleo@example.org', 'dan@example.org']);
  expect(sent.match(/accepted/g)).toHaveLength(2);
});

example('second-provider.ts', (output) => {
  expect(output.match(/\S.*order\/\d.*/g)).toEqual([
    'here          order/1: 1 message',
    'unknown       order/2: the queue repeats the job',
    'here          order/2: 1 message',
    'elsewhere     order/3: Your order',
  ]);
  expect(output).toContain('sent here     2');
});

example('tour.ts', (output) => {
  expect(output).not.toContain('\u001b');
  expect(output).toMatch(/emulated at http:\/\/127\.0\.0\.1:\d+/);
  expect(output).toMatch(/ValidationError .* 422/);
  expect(output).toContain('must be a verified sending domain');
  expect(output).toContain("Audience can't be blank");
  expect(output).toMatch(/page 3 +12 campaigns/);
  expect(output).toContain('52 campaigns');
  expect(output).toMatch(/scheduled +for \d{4}-/);
  expect(output).toMatch(/cancelled +back to draft/);
  expect(output).toMatch(/import +311 contacts, finished/);
  expect(output).toMatch(/1 of 310 {2}started/);
  expect(output).toMatch(/310 of 310 {2}finished/);
  expect(output).toMatch(/delivered +310 /);
  expect(output).toMatch(/5 of 5 +verified/);
  expect(output).toMatch(/call 3 +█{24} +1200\n/);
  expect(output).toMatch(/accepted +1200,/);
  expect(output).toMatch(/delivery .*\n +open .*\n +click +https:\/\/example\.com\/orders\/7/);
  expect(output).toMatch(/read +17 pages/);
  expect(output).toMatch(/received +Confirm your address, for cy@example\.net\n/);
  expect(output).toMatch(/link +https:\/\/example\.com\/confirm\?code=7\n/);
  expect(output).toMatch(/attached +terms\.txt, 14 bytes\n/);
  expect(output).toContain('What to try next');
});

example('resume-an-export.ts', (output) => {
  expect(output.match(/pages +\d+/g)).toEqual([2, 5, 0].map((count) => `pages         ${count}`));
  expect(output.match(/messages +\d+/g)).toEqual([672, 672].map((count) => `messages      ${count}`));
  expect(output).toMatch(/twice +0\n/);
});

example('sandbox-in-staging.ts', (output) => {
  expect(output).toMatch(/Staging\n +delivered +0\n +captured +2\n +ann@example\.org {2}Welcome, Ann\n/);
  expect(output).toMatch(/ConfigurationError {2}hosts\.bulk is required/);
  expect(output.match(/delivered +\d+/g)).toEqual([0, 0, 3].map((count) => `delivered     ${count}`));
});

example('attachments.ts', (output) => {
  expect(output.match(/ {2}as it was sent$/gm)).toHaveLength(7);
  expect(output).not.toContain('not as it was sent');
  expect(output).toMatch(/logo\.svg +62 bytes {2}inline/);
  expect(output).toContain('attachments[0].content could not be read');
  expect(output).toMatch(/attachments\[0\]\.content could not be read\n +ENOENT/);
  expect(output).toMatch(/mails sent +1\n/);
});

example('batch-from-csv-with-progress.ts', (output) => {
  const bars = [...output.matchAll(/([█░]+) +(\d+) of 2600, (\d) calls\n/g)];
  expect(bars.map(([, drawn = '']) => drawn.length)).toEqual(bars.map(() => 24));
  // The last call has a hundred mails, and may end before another.
  expect(bars.map(([, , , calls]) => calls)).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(bars.at(-1)?.[2]).toBe('2600');
  expect(output).toMatch(/accepted +2095\n +rejected +5\n +not_sent +0\n +unknown +500\n/);
  expect(output.match(/"status":"rejected","told":\["'to\[0\]' address is invalid"\]/g)).toHaveLength(5);
  expect(output).toMatch(/in the log +499\n +not in it +reader399\n/);
});

example('newsletter-with-keys.ts', (output) => {
  const [, first = '', settled = '', second = '', workers = '', readers = ''] = output.split(
    /The first run|Settle\n|The second run|Two workers, one list|Emails by reader/,
  );
  expect(first).toMatch(/sent +700\n +replayed +0\n +rejected +0\n +not_sent +0\n +unknown +500\n/);
  expect(settled).toMatch(/in the log +500\n +not in it +0\n/);
  expect(second).toMatch(/sent +0\n +replayed +1200\n/);
  // Each leaves to the other what that one sends, and nothing is unknown.
  expect(workers).toMatch(/sent +1200\n +by the other +1200\n +unknown +0\n +sent +0\n +replayed +1200\n/);
  expect(readers).toMatch(/readers +1200\n +with two +1200\n/);
});

example('contacts-from-csv.ts', (output) => {
  expect(output).toMatch(/import 0 +1000 created\n/);
  expect(output).toMatch(/import 1 +rejected because of reader1234, from row 1002\n/);
  expect(output).toMatch(/import 2 +500 created\n/);
  expect(output).toMatch(/left out +2 who/);
  expect(output).toMatch(/finished +999 contacts\n/);
  expect(output).toMatch(/Rome +1249 contacts\n +Oslo +1250 contacts\n/);
});

example('weekly-report.ts', (output) => {
  const delivered = [...output.matchAll(/(\d+) delivered/g)].map(([, count]) => Number(count));
  const [total = 0, ...groups] = delivered;
  expect(total).toBeGreaterThan(100);
  // Every day, every domain and every provider add up to all emails.
  expect(groups.reduce((sum, count) => sum + count, 0)).toBe(3 * total);
  expect(output).toMatch(/\d+ {2}hard bounce\n/);
  expect(output).toMatch(/requests +7\n/);
});

example('rotate-a-token.ts', (output) => {
  expect(output).toMatch(/emails +sent 1\n +campaigns +not allowed\n/);
  expect(output).toMatch(/old value +sent 1: it works for twelve more hours\n +new value +sent 1\n/);
  expect(output).toMatch(/12 hours on +the old value is refused\n +new value +sent 1\n/);
});

example('webhooks-express.ts', (output) => {
  const at = output.indexOf('The receiver fails');
  const events = [...output.slice(0, at).matchAll(/^ +(delivery|open|click|bounce) +(\S+@\S+)/gm)];
  expect(events.map(([, type, email]) => `${type} ${email}`)).toEqual([
    'delivery ann@example.org',
    'bounce bounce+ben@example.org',
    'open ann@example.org',
    'click ann@example.org',
  ]);
  expect(output).toMatch(/click +ann@example\.org https:\/\/shop\.example\.com\/orders\/7\n/);
  expect(output).toMatch(/delivery +quiet@example\.org\n +again +delivery, and nothing is done\n/);
  expect(output).toMatch(/attempt 1 +503\n +attempt 2 +200\n/);
  for (const what of ['forged', 'written anew', 'no signature'])
    expect(output).toMatch(`${what.padEnd(14)}401`);
  expect(output).toMatch(/again .*\n +again .*\n +recorded +200\n/);
});

example('settled-by-webhooks.ts', (output) => {
  expect(output).toMatch(/failed +ConnectionError, effect unknown\n +open +order\/7\/shipped unknown\n/);
  expect(output).toMatch(/delivery +its key is accepted\n +open +0\n/);
  expect(output).toMatch(/replayed +true, 1 id\n +sent +1 time\n/);
});

example('answer-inbound-mail.ts', (output) => {
  expect(output).toMatch(/told of +3 messages\n/);
  expect(output).toMatch(/Ann <ann@example\.org> *replied, 1 message\n/);
  expect(output).toMatch(/billing@supplier\.example *forwarded to books@example\.com\n/);
  expect(output).toMatch(/inbound: Where is order 7\?\n +outbound: Order 7 is on its way\. delivered\n/);
  // The copy that a rule sent is in the thread of its message.
  expect(output).toMatch(/Invoice 12 +2 messages\n +inbound: Total: 90\n +outbound: Total: 90 delivered\n/);
  expect(output).toMatch(/Hello +1 message\n/);
});

example('many-tenants-one-throttle.ts', (output) => {
  const seconds = (name: string) => Number(new RegExp(`${name} .* after (\\d+\\.\\d) s`).exec(output)?.[1]);
  const [first = 0, second = 0] = [...output.matchAll(/refused +(\d+)\n/g)].map(([, count]) => Number(count));
  expect(first).toBe(0);
  expect(second).toBeGreaterThan(0);
  // Twenty at once, twenty after one second, ten after two.
  expect(seconds('Aster')).toBeGreaterThanOrEqual(2);
  expect(seconds('Begonia')).toBeLessThan(seconds('Aster'));
  expect(seconds('Clover')).toBeLessThan(seconds('Aster'));
  expect(output).toMatch(/Aster +\d+ of 20 used/);
});

example('errors-by-class.ts', (output) => {
  const names = [...output.matchAll(/^(\w+Error) /gm)].map(([, name]) => name);
  expect(names).toEqual([
    'InvalidRequestError',
    'ValidationError',
    'LifecycleError',
    'NotFoundError',
    'AuthenticationError',
    'PermissionDeniedError',
    'ConfigurationError',
    'AbortError',
    'ConnectionError',
    'ServerError',
    'ConnectionError',
    'TimeoutError',
    'RateLimitError',
  ]);
  expect(output).toContain('come back in 7000 ms');
  expect(output).toContain('create was called 3 times and sent 3 times');
});

example('iterate-and-stop-early.ts', (output) => {
  expect(output).toMatch(/made +0 requests/);
  expect(output).toMatch(/found with +1 request\n/);
  expect(output).toMatch(/read with +2 requests/);
  expect(output).toMatch(/counted with +10 requests/);
  expect(output).toMatch(/then +140 campaigns/);
});

example('campaign-from-draft-to-finished.ts', (output) => {
  const states = [...output.matchAll(/:\d\d +([a-z]+)$/gm)].map(([, state]) => state);
  expect([...new Set(states)]).toEqual(['scheduled', 'started', 'finished']);
  expect(output).toMatch(/sent +4\n/);
  expect(output).toMatch(/to Carla +Carla, something for you\n/);
  expect(output).toMatch(/her link +https:\/\/emulator\.test\/reader\/unsubscribe\/.+\n/);
});

example('workers-sharing-redis.ts', (output) => {
  expect(output).toMatch(/^This one needs a Redis: npx tsx .* redis:\/\/127\.0\.0\.1:6379\n$/);
});

describeWithRedis('with a Redis', () => {
  test('workers-sharing-redis.ts', async () => {
    const redis = await RedisServer.create();
    onTestFinished(() => redis.stop());
    // It starts its own source again, as a user runs it.
    const output = await run([tsx, 'examples/workers-sharing-redis.ts'], { REDIS_URL: redis.url });
    const [, together = ''] = output.split('All share the limit through Redis');
    expect(together.match(/worker [1-4] +15 calls answered/g)).toHaveLength(4);
    expect(together).toMatch(/requests +60\n +refused +0\n/);
    expect(together).not.toContain('could not reach Redis');
  });
});

tested.add('browser');
test('browser', async () => {
  const program = spawn(process.execPath, [tsx, 'examples/browser/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [output] = (await once(program.stdout, 'data')) as [Buffer];
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(String(output)) ?? [];
    expect(await (await fetch(url)).text()).toContain('<title>Campaigns</title>');
    expect((await fetch(`${url}email/api/api/email_campaigns`)).status).toBe(403);
  } finally {
    program.kill();
  }
});

test('every example has a test', () => {
  // test/peers/shop tests the shop, with the packages of its own.
  const others = readdirSync(`${root}examples`).filter((name) => name !== 'shop');
  expect([...tested].sort()).toEqual(others.sort());
});
