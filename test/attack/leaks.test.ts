import { createThrottle, EmailPlatform, EmailPlatformError, type EmailPlatformOptions } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { everythingOf } from '../support/everything-of.ts';
import { scriptedFetch, silence } from '../support/scripted-fetch.ts';
import { closedPort, portWith, selfSignedPort } from '../support/sockets.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';
import { FORMS, shows } from './leak-forms.ts';
import { places, type Place, type Setting } from './leak-places.ts';

const TOKEN = 'tok/3n+S3cr3t&aB9~xyz-0123456789_/QwErTy';
/** Long enough to be cut out wherever they are repeated, and with all that has to be escaped. */
const BODY = `<p class="b0dy">${Array.from({ length: 40 }, (_, at) => `s3cr3t-${at * 7919}\n`).join('')}é</p>`;
const HEADER = Array.from({ length: 12 }, (_, at) => `h3ader-${at * 7907}`).join(' ');
const QUERY = Array.from({ length: 12 }, (_, at) => `qu3ry ${at * 7901}`).join('&');
const SHORT = 'ben@x';

const draft = {
  name: SHORT,
  domain_id: 1,
  from_local_part: 'news',
  template_attributes: { subject: 'Hi', body_html: BODY },
};
const sentBody = JSON.stringify(draft);

/** What was said where no error is: on the console, and as warnings of the process. */
const said: unknown[] = [];
const note = (...words: unknown[]) => void said.push(words);
let combinations = 0;

beforeAll(() => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
    vi.spyOn(console, method).mockImplementation(note);
  process.on('warning', note);
});
afterAll(() => {
  vi.restoreAllMocks();
  process.off('warning', note);
  process.stdout.write(`leaks: ${combinations} combinations of place, form and call\n`);
  expect(said).toEqual([]);
});

function watched(more: EmailPlatformOptions) {
  const events: object[] = [];
  const keep = (event: object) => void events.push(event);
  const hooks = { onRequest: keep, onResponse: keep, onRetry: keep, onThrottle: keep, onMismatch: keep };
  const throttle = createThrottle();
  return { events, throttle, settings: { token: TOKEN, hooks, schemas, throttle, ...more } };
}

/** The calls that are made: with much that is sent, with a retry, and with a schema of the caller's. */
const CALLS: Readonly<Record<string, (client: EmailPlatform, setting: Setting) => Promise<unknown>>> = {
  create: (client) =>
    client.campaigns.create(draft, { headers: { 'x-mine': HEADER }, retry: false }).withResponse(),
  get: (client) => client.campaigns.get(1, { retry: { maxRetries: 1, maxWaitMs: 1_000 } }),
  request: (client, { schema }) => {
    const request = { method: 'POST', path: '/api/any', query: { q: QUERY }, body: draft, schema } as const;
    return client.request(request, { headers: { 'x-mine': HEADER }, retry: false });
  },
};

/** Everything that can be read after a call in which a text stands at a place; undefined if it cannot stand there. */
async function readable(place: Place, text: string, name: string): Promise<string | undefined> {
  const setting = place(text);
  const { turn = silence, options } = setting;
  try {
    await turn({} as never);
  } catch (error) {
    // `Headers` and `Response` refuse some texts, and so does no server that could send them.
    if (error instanceof TypeError && /ByteString|header|statusText/i.test(error.message)) return undefined;
  }
  combinations += 1;
  const { events, throttle, settings } = watched({ fetch: scriptedFetch(turn).fetch, ...options });
  const { client, time } = virtualClient(settings);
  const outcome: unknown = await throughItsWaits(time, CALLS[name]!(client, setting)).catch(
    (error: unknown) => error,
  );
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(EmailPlatformError);
  const seen = [outcome, events, client, client.campaigns, client.limits.snapshot(), throttle];
  return seen.map(everythingOf).join('\n');
}

const everyPlace = [...places(TOKEN)];

describe.each(Object.keys(CALLS))('The token cannot be read after `%s`, in any form', (call) => {
  test.each(everyPlace)('%s', async (_, place) => {
    const leaks: string[] = [];
    for (const [form, write] of Object.entries(FORMS)) {
      const everything = await readable(place, write(TOKEN), call);
      if (everything !== undefined && shows(everything, TOKEN)) leaks.push(form);
    }
    expect(leaks).toEqual([]);
  });
});
