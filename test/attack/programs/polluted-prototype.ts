/**
 * Makes calls while every object seems to have one more property, for all that ky, `fetch`, p-retry and streams look up
 * in what they are given. Prints what is different then. The server says in its responses what it was sent.
 */
import { EmailPlatform } from 'email-platform';
import { isFull } from '../../support/extent.ts';

const [, , url = '', whose] = process.argv;

const NAMES = [
  // ky
  ...[
    'prefixUrl',
    'searchParams',
    'json',
    'parseJson',
    'stringifyJson',
    'hooks',
    'beforeRequest',
    'beforeRetry',
  ],
  ...['afterResponse', 'beforeError', 'retry', 'timeout', 'throwHttpErrors', 'fetch', 'context'],
  ...['onDownloadProgress', 'onUploadProgress', 'limit', 'shouldRetry'],
  // fetch and Request
  ...['method', 'headers', 'body', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy'],
  ...['integrity', 'keepalive', 'signal', 'window', 'duplex', 'dispatcher', 'priority'],
  // p-retry
  ...['retries', 'factor', 'minTimeout', 'maxTimeout', 'maxRetryTime', 'randomize', 'unref', 'forever'],
  ...['onFailedAttempt', 'shouldConsumeRetry'],
  // ReadableStream
  ...['type', 'autoAllocateChunkSize'],
];

/** Node's own fetch looks these up in objects that it makes itself, and fails: one value of each is enough. */
const BREAK_FETCH = ['body', 'signal', 'dispatcher', 'autoAllocateChunkSize'];

const evil = () => Response.json({ data: { evil: true } });
const VALUES: Readonly<Record<string, unknown>> = {
  text: 'https://evil.test/',
  object: { 'x-evil': 'yes', limit: 5 },
  list: [evil],
  function: evil,
  true: true,
  number: 7,
  'an aborted signal': AbortSignal.abort(),
};

const own: EmailPlatform.Fetch = (input, init) => fetch(input, init);
const options = {
  token: 'token',
  hosts: { api: url, send: url },
  // None of it waits for ever: a limit to find what would.
  timeoutMs: 30_000,
  throttle: false as const,
  retry: { maxRetries: 1 },
  ...(whose === 'own' && { fetch: own }),
};
const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hi',
  text: 'Hello',
  attachments: [{ filename: 'a.txt', content: new Uint8Array([1, 2, 3]) }],
};
let runs = 0;

/** The outcomes of a read, whose first attempt fails, and of an email. */
async function calls(): Promise<string> {
  runs += 1;
  const client = new EmailPlatform(options);
  const headers = { 'x-run': `${whose} ${runs}` };
  const read = await client.campaigns.get(1, { headers });
  const sent = await client.sending.send(mail, { headers });
  return JSON.stringify([read, sent]);
}

/** Fails what takes for ever. */
const within = <T>(promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error('It takes for ever.')), 60_000).unref(),
    ),
  ]);

async function polluted(name: string, value: unknown, run: () => Promise<string>): Promise<string> {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  try {
    return await within(run());
  } catch (error) {
    return String(error);
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

const clean = await calls();
const different: string[] = [];
const failed: string[] = [];
let same = 0;
for (const [index, name] of NAMES.entries()) {
  const all = Object.entries(VALUES);
  // Otherwise each name meets every value, four of them with the first `fetch` and the others with the second.
  const isFirst = (at: number) => (at + 5 * index) % all.length < 4;
  const some = isFull ? all : all.filter((_, at) => isFirst(at) === (whose === 'platform'));
  const values = BREAK_FETCH.includes(name) ? all.slice(0, 1) : some;
  for (const [kind, value] of values) {
    const seen = await polluted(name, value, calls);
    if (seen === clean) same += 1;
    else if (seen.startsWith('[')) different.push(`${name}, ${kind}: ${seen}`);
    else failed.push(`${name}: ${seen}`);
  }
}
process.stdout.write(JSON.stringify({ clean: JSON.parse(clean) as unknown, same, different, failed }));
