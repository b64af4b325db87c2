import { EmailPlatformError, type EmailPlatform } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { describe, expect, test } from 'vitest';
import { covering } from '../support/covering.ts';
import { everythingOf } from '../support/everything-of.ts';
import { expectSilence } from '../support/expect-silence.ts';
import { broken, empty, failure, json, scriptedFetch, text, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';
import { FORMS, kindOf, shows } from './leak-forms.ts';

const SEGMENT = 'p4rtS3cr3t-0123456789';
const SIGNATURE = 's1gn/4tur3+V4lue==';
/** Shorter than a token may be: found only where it stands for itself. */
const SHORT = 'k3y9';
const PATH = `/storage/${SEGMENT}/file`;
const QUERY = `X-Signature=${encodeURIComponent(SIGNATURE)}&key=${SHORT}`;
const ADDRESS = `https://files.test${PATH}?${QUERY}`;
const SECRETS = { SEGMENT, SIGNATURE };

const CALLS: Readonly<Record<string, (client: EmailPlatform) => PromiseLike<unknown>>> = {
  'emailLogs.downloadRaw': ({ emailLogs }) => emailLogs.downloadRaw(ADDRESS),
  'emailLogs.downloadRaw, redirected': ({ emailLogs }) => emailLogs.downloadRaw('https://files.test/first'),
  'sandbox.attachments.download': ({ sandbox }) =>
    sandbox.attachments.download({ download_path: `${PATH}?${QUERY}` }),
  'contacts.exports.download': ({ contacts }) => contacts.exports.download(6),
};

/** Responses of a storage, a gateway or a `fetch` that repeat the requested address. */
const SAYING: Readonly<Record<string, (said: string) => Turn>> = {
  'a page': (said) => text(403, `<Error>No key ${said} here</Error>`, 'application/xml'),
  JSON: (said) => json(404, { errors: { [said]: [`${said} is gone`] }, more: [said] }),
  'a header': (said) => empty(500, { 'x-request-id': said, 'x-echo': said }),
  'an error of fetch': (said) => failure(broken(said, said)),
  'the stack of such an error': (said) =>
    failure(Object.assign(new TypeError('failed'), { stack: `TypeError\n at ${said}:1:1` })),
  'a redirect that is not followed': (said) => empty(302, { location: `ftp://other.test/${said}` }),
  'a success': (said) => () =>
    new Response(new Uint8Array(3), {
      headers: { 'content-encoding': 'gzip', 'x-request-id': said, 'content-type': `a/b; c=${said}` },
    }),
  'a body that breaks off': (said) => () =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(new Error(said)) })),
};

expectSilence();

/** What can be read after a call: of its outcome and events, and of the client. */
async function seen(name: string, turn: Turn): Promise<{ readonly told: unknown; readonly client: object }> {
  const events: object[] = [];
  const keep = (event: object) => void events.push(event);
  const hooks = {
    onRequest: keep,
    onResponse: keep,
    onRetry: keep,
    onThrottle: keep,
    onMismatch: keep,
    onEnd: keep,
  };
  const turns: [Turn, ...Turn[]] = [turn];
  if (name.endsWith('redirected')) turns.unshift(empty(302, { location: ADDRESS }));
  if (name.startsWith('contacts')) turns.unshift(json(200, { id: 6, status: 'finished', url: ADDRESS }));
  const { client, time } = virtualClient({
    fetch: scriptedFetch(...turns).fetch,
    hooks,
    schemas,
    retry: { maxRetries: 1 },
  });
  const call = CALLS[name];
  if (!call) throw new Error(`There is no call ${name}.`);
  const outcome: unknown = await throughItsWaits(time, Promise.resolve(call(client))).catch(
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(EmailPlatformError);
  expect(events.length).toBeGreaterThan(1);
  return { told: [outcome, events], client };
}

/** Whether `Headers` takes such a text. */
const fits = (turn: Turn): boolean => {
  try {
    void Promise.resolve(turn({} as never)).catch(() => undefined);
    return true;
  } catch (error) {
    return !/ByteString|header/i.test(String(error));
  }
};

const places = Object.keys(CALLS).flatMap((name) => Object.keys(SAYING).map((saying) => ({ name, saying })));
/** What repeats the address. */
const sortOf = (saying: string): string =>
  /^(a page|JSON)$/.exec(saying)?.[0] ?? (/error|breaks off/.test(saying) ? 'a failure' : 'a header');
/** Each call has each saying with a secret as it is and in another form; each form of each secret is in sayings of each sort. */
const written = covering(
  Object.entries(FORMS).flatMap(([form, write]) =>
    Object.entries(SECRETS).map(([secretName, secret]) => ({ form, write, secretName, secret })),
  ),
  places,
  { kind: ({ form, write }) => kindOf([form, write]), group: ({ saying }) => sortOf(saying) },
);

describe.each(Object.keys(CALLS))('Of the address of %s', (name) => {
  test.each(Object.entries(SAYING))(
    'nothing can be read after a call, whatever is said: %s',
    async (saying, say) => {
      const place = places.find((each) => each.name === name && each.saying === saying) ?? expect.fail();
      const leaks: string[] = [];
      for (const { form, write, secretName, secret } of written.get(place) ?? []) {
        const turn = say(write(secret));
        if (!fits(turn)) continue;
        const { told } = await seen(name, turn);
        if (shows(everythingOf(told), secret)) leaks.push(`${secretName}, ${form}`);
      }
      expect(leaks).toEqual([]);
    },
  );

  test.each(Object.entries(SAYING))(
    'nor a short value of its query, nor of the client: %s',
    async (_, say) => {
      const { told, client } = await seen(name, say(SHORT));
      const everything = everythingOf([told, client]);
      expect(everything).not.toContain(SHORT);
      for (const secret of Object.values(SECRETS)) expect(shows(everything, secret)).toBe(false);
    },
  );
});

test('a short value is cut out where it stands for itself, and words stay', async () => {
  const turn = json(404, { error: 'No monkey9 for k3y9: k3y9x, K3Y9' });
  const { client } = virtualClient({ fetch: scriptedFetch(turn).fetch });
  const outcome = await client.emailLogs.downloadRaw(ADDRESS).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ messages: ['No monkey9 for [redacted]: k3y9x, [redacted]'] });
});
