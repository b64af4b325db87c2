import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { inspect, promisify, stripVTControlCharacters } from 'node:util';
import { processError } from '@vitest/utils/error';
import {
  EmailPlatform,
  EmailPlatformError,
  InvalidRequestError,
  type EmailPlatformOptions,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { thrownFrom } from '../../src/core/error-base.ts';
import { callersOf } from '../../src/core/error-text.ts';
import { rejection, thrown } from '../support/expect-error.ts';
import { broken, failure, json, scriptedFetch, text, type Turn } from '../support/scripted-fetch.ts';
import { virtualClient } from '../support/virtual-client.ts';

function clientOf(turn: Turn, options: EmailPlatformOptions = {}) {
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  return virtualClient({ fetch: scriptedFetch(turn).fetch, hosts, retry: false, ...options }).client;
}

/** Without what differs from machine to machine: folders, lines, and who called the test. */
const steady = (printed: string) =>
  printed
    .replace(/\n {4}at (?!.*signUp)[^\n]*/g, '')
    .replace(/[^\s"(]*[\\/](test[\\/].*?):\d+:\d+/g, '$1:LINE');

const headers = { 'x-request-id': 'req-7', server: 'nginx', 'set-cookie': 'a=b', 'x-ratelimit-limit': '150' };
const noName = { errors: { name: ["can't be blank"] } };
const mail = { from: 'a@example.com', to: 'ben@example.org', subject: 'Hi', text: 'Hello' };

/** A function of an application. */
const signUp = (call: () => Promise<unknown>) => rejection(call(), EmailPlatformError);

const FAILURES: Readonly<Record<string, () => Promise<EmailPlatformError>>> = {
  'a refusal by the service': () => {
    const client = clientOf(json(422, noName, headers));
    return signUp(() => client.templates.get(7));
  },
  'a page of a proxy': () => {
    const client = clientOf(text(502, '<html>\n<h1>Bad\nGateway</h1></html>', 'text/html'));
    return signUp(() => client.campaigns.get(7));
  },
  'a message of several lines': () => {
    const client = clientOf(json(400, { error: 'one\n  two\r\nthree' }));
    return signUp(() => client.campaigns.get(7));
  },
  'a connection that was lost': () => {
    const client = clientOf(failure(broken('ECONNRESET', 'read')));
    return signUp(() => client.sending.send(mail));
  },
  'arguments that are refused': () => {
    const client = clientOf(json(200, {}));
    return signUp(() => client.campaigns.get(0));
  },
  'a signal': () => {
    const client = clientOf(json(200, {}));
    return signUp(() => client.campaigns.get(7, { signal: AbortSignal.abort('shutting down') }));
  },
  'an option': () =>
    Promise.resolve(thrown(() => new EmailPlatform({ token: 'two words' }), EmailPlatformError)),
};

describe('Printed,', () => {
  test.each(Object.entries(FAILURES))('%s', async (_, fail) => {
    const error = await fail();
    expect(steady(inspect(error))).toMatchSnapshot();
    expect(steady(JSON.stringify(error, null, 1))).toMatchSnapshot();
  });

  test.each(Object.entries(FAILURES))('%s takes at most ten lines', async (_, fail) => {
    expect(inspect(await fail()).split('\n').length).toBeLessThanOrEqual(10);
  });

  test('an error begins with the line that made the call, and leaves out its headers', async () => {
    const client = clientOf(json(422, noName, headers));
    const error = await signUp(() => client.templates.get(7));
    const [title, first] = inspect(error).split('\n');
    expect(title).toBe("ValidationError: templates.get failed with 422: name can't be blank");
    expect(inspect(error)).not.toContain('node:');
    expect(first).toMatch(/at .*printed-errors\.test\.ts:\d+:\d+/);
    expect(error.toJSON().at).toMatch(/printed-errors\.test\.ts:\d+:\d+/);
    for (const shown of [inspect(error), JSON.stringify(error)])
      expect(shown).not.toMatch(/nginx|set-cookie/);
    expect('headers' in error && error.headers).toBeInstanceOf(Headers);
  });

  test.each([
    ['option', 'ConfigurationError: token is empty'],
    ['call', 'NotFoundError: campaigns.get failed with 404: Not Found'],
  ])('by Node, because nothing caught it, an error says where it was made: %s', async (which, title) => {
    const program = join(import.meta.dirname, 'uncaught.ts');
    const { stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, which]).catch(
      (failure: unknown) => failure as { readonly stderr: string },
    );
    expect(stderr).toContain(title);
    expect(stderr).toMatch(/\n +at: '.*uncaught\.ts:\d+:\d+\)?'/);
    expect(stderr).toMatch(/\n +at .*uncaught\.ts:\d+:\d+/);
    expect(stderr).not.toContain('[Getter');
  });

  test('an error whose stack has this package alone names no place', () => {
    const built = 'Error\n    at read (file:///app/node_modules/email-platform/dist/nodemailer/index.js:7:9)';
    const error = new InvalidRequestError([{ path: 'to', message: 'is required' }]);
    thrownFrom({ name: 'Error', message: '', stack: built }, error);
    expect(error.stack).toContain('nodemailer/index.js');
    expect(error.at).toBeUndefined();
    expect(Object.keys(error)).not.toContain('at');
    expect(error.toJSON()).not.toHaveProperty('at');
  });

  test("in a test's failure, an error begins with what it is and who called", async () => {
    const client = clientOf(json(404, { error: 'Not Found' }, headers));
    const error = await signUp(() => client.campaigns.get(7));
    const assertion: unknown = await Promise.resolve({ outcome: error })
      .then((value) => expect(value).toEqual({}))
      .catch((reason: unknown) => reason);
    const { diff = '' } = processError(assertion);
    const [, of = ''] = stripVTControlCharacters(diff).split('"outcome": ');
    const shown = of.split('\n').slice(0, 10).join('\n');
    expect(shown).toContain('NotFoundError {');
    expect(shown).toContain('campaigns.get failed with 404: Not Found');
    expect(shown).toContain('"effect": "none"');
    expect(shown).toMatch(/"at": ".*printed-errors\.test\.ts:\d+:\d+/);
    expect(diff).not.toMatch(/nginx|headers/);
    expect(error.stack?.split('\n')[1]).toMatch(/printed-errors\.test\.ts:\d+:\d+/);
  });

  test('an error inside something else is printed as well', async () => {
    const cause = await signUp(() => clientOf(json(404, {})).campaigns.get(7));
    const outer = inspect({ outcome: 'failed', error: new Error('sign-up failed', { cause }) });
    expect(outer).toContain('NotFoundError: campaigns.get failed with 404');
    expect(outer).toContain('call: campaigns.get: GET /api/email_campaigns/7');
  });

  test('an error without a stack, or with one that cannot be read, is printed all the same', () => {
    const error = new InvalidRequestError([{ path: 'name', message: 'is missing' }]);
    for (const descriptor of [
      { value: undefined },
      { value: 'no frames' },
      { value: 7 },
      {
        get: () => {
          throw new Error('no');
        },
      },
    ]) {
      Object.defineProperty(error, 'stack', { configurable: true, ...descriptor });
      expect(inspect(error)).toContain('InvalidRequestError: The request was not sent: name: is missing');
      expect(JSON.stringify(error)).toContain('is missing');
    }
  });
});

describe('The frames of this package at the top of a stack are left out', () => {
  const own = ['callSite', 'Campaigns.execute', 'Campaigns.get'];
  const stackIn = (file: string) =>
    ['Error', ...own.map((name) => `    at ${name} (${file}:5:41)`)].join('\n');
  const callers =
    '\n    at signUp (/app/dist/server.js:7:20)\n    at next (/app/node_modules/express/lib/router.js:1:1)';

  test.each([
    '/app/node_modules/email-platform/dist/index.js',
    '/app/node_modules/.pnpm/email-platform@1.0.0/node_modules/email-platform/dist/index.cjs',
    'file:///app/node_modules/email-platform/dist/index.js',
    'C:\\app\\node_modules\\email-platform\\dist\\index.js',
    '/home/me/clone/src/core/call-site.ts',
  ])('in %s', (file) => {
    expect(callersOf(stackIn(file) + callers)).toBe(`Error${callers}`);
  });

  test.each(['/app/dist/server.js', '/app/src/server.js', 'webpack-internal:///main.js'])(
    'but not where the application is bundled with it, in %s',
    (file) => {
      const stack = `${stackIn(file)}\n    at signUp (${file}:7:20)\n    at node:internal/process:1:1${callers}`;
      expect(callersOf(stack)).toBe(stack);
    },
  );

  test('and all are left where there are no others', () => {
    const stack = stackIn('/app/node_modules/email-platform/dist/index.js');
    expect(callersOf(stack)).toBe(stack);
  });
});
