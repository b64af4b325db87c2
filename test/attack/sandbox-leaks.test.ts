import { EmailPlatformError, type EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { expect, test } from 'vitest';
import { sandboxExamples } from '../entries/schemas/sandbox-examples.ts';
import { everythingOf } from '../support/everything-of.ts';
import { expectSilence } from '../support/expect-silence.ts';
import { scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

const USERNAME = 'sm7p-us3r-0123456789';
const PASSWORD = 'sm7p-p4ss-0123456789';
const LINK = 'sh4re-0123456789';
const PART = 'p4rt-0123456789';
const SECRET = /sm7p|sh4re|p4rt/;

const inbox = { ...sandboxExamples.sandboxInbox, username: USERNAME, password: PASSWORD };
const project = {
  ...sandboxExamples.sandboxProject,
  share_links: { admin: LINK, viewer: LINK },
  inboxes: [inbox],
  sandboxes: [inbox],
};
const attachment = {
  ...sandboxExamples.sandboxAttachment,
  download_path: `/api/testing_message_parts/${PART}/download`,
};

const CALLS: Readonly<Record<string, [object, (client: EmailPlatform) => PromiseLike<unknown>]>> = {
  'projects.list': [[project], ({ sandbox }) => sandbox.projects.list()],
  'projects.get': [project, ({ sandbox }) => sandbox.projects.get(1)],
  'inboxes.list': [[inbox], ({ sandbox }) => sandbox.inboxes.list()],
  'inboxes.create': [inbox, ({ sandbox }) => sandbox.inboxes.create(1, { name: 'Signup' })],
  'inboxes.resetCredentials': [inbox, ({ sandbox }) => sandbox.inboxes.resetCredentials(1)],
  'attachments.get': [attachment, ({ sandbox }) => sandbox.attachments.get(1, 2, 3)],
};

expectSilence();

const respond =
  (body: string): Turn =>
  () =>
    new Response(body, { headers: { 'content-type': 'application/json' } });

/** Every field of every object is of a wrong type, except for the secrets. */
const spoilt = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(spoilt)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoilt(field)]))
      : typeof value === 'string' && SECRET.test(value)
        ? value
        : { wrong: value };

/** Responses that contain the secrets, and that the client has something to say about. */
const RESPONSES: Readonly<Record<string, (body: string) => Turn>> = {
  'is as it should be': respond,
  'does not match its schema': (body) => respond(JSON.stringify(spoilt(JSON.parse(body)))),
  'is in another wrapper': (body) => respond(`[[${body}]]`),
  'breaks off': (body) => respond(body.slice(0, -2)),
  'is JSON twice': (body) => respond(body + body),
  'comes in a text': (body) => respond(JSON.stringify(body)),
  'ends in a lost connection': (body) => () => {
    const chunks = [new TextEncoder().encode(body)];
    const pull = (stream: ReadableStreamDefaultController) => {
      const chunk = chunks.shift();
      if (chunk) stream.enqueue(chunk);
      else stream.error(new TypeError('terminated'));
    };
    return new Response(new ReadableStream({ pull }));
  },
};

async function seen(
  turn: Turn,
  call: (client: EmailPlatform) => PromiseLike<unknown>,
  more: EmailPlatformOptions,
) {
  const events: object[] = [];
  const keep = (event: object) => void events.push(event);
  const hooks = { onRequest: keep, onResponse: keep, onRetry: keep, onThrottle: keep, onMismatch: keep };
  const { fetch } = scriptedFetch(turn);
  const { client, time } = virtualClient({ fetch, hooks, schemas, throttle: {}, ...more });
  const outcome: unknown = await throughItsWaits(time, Promise.resolve(call(client))).catch(
    (error: unknown) => error,
  );
  return { outcome, events, client };
}

test.each(Object.entries(CALLS))(
  'the secrets in the response of %s are in its result only',
  async (_, [body, call]) => {
    let errors = 0;
    let mismatches = 0;
    for (const make of Object.values(RESPONSES)) {
      for (const validateResponses of ['report', 'throw'] as const) {
        const { outcome, events, client } = await seen(make(JSON.stringify(body)), call, {
          validateResponses,
        });
        const isError = outcome instanceof EmailPlatformError;
        if (isError) errors += 1;
        mismatches += events.filter((event) => 'issues' in event).length;
        expect(events.length).toBeGreaterThan(0);
        expect(everythingOf([events, client, client.sandbox, isError ? outcome : undefined])).not.toMatch(
          SECRET,
        );
      }
    }
    expect(errors).toBeGreaterThan(4);
    expect(mismatches).toBeGreaterThan(0);
    const { outcome } = await seen(respond(JSON.stringify(body)), call, {});
    // They are the caller's: printed, the result shows them.
    expect(everythingOf(outcome)).toMatch(SECRET);
  },
);

test('a deletion returns the inbox, and says nothing of it', async () => {
  const call = ({ sandbox }: EmailPlatform) => sandbox.inboxes.delete(1);
  for (const make of Object.values(RESPONSES)) {
    const { outcome, events } = await seen(make(JSON.stringify(inbox)), call, {});
    const isError = outcome instanceof EmailPlatformError;
    expect(everythingOf([events, isError ? outcome : undefined])).not.toMatch(SECRET);
  }
});

test('the path of an attachment is in no error and no hook of its download', async () => {
  const download_path = `/api/testing_message_parts/${PART.repeat(6)}/download`;
  const turns: Turn[] = [
    ({ url }) => new Response(`nothing at ${url}`, { status: 404 }),
    ({ url }) => Promise.reject(new TypeError(`fetch failed: ${url}`)),
    () =>
      new Response(`see ${download_path}`, { status: 302, headers: { location: `ftp://x${download_path}` } }),
  ];
  for (const turn of turns) {
    const call = ({ sandbox }: EmailPlatform) => sandbox.attachments.download({ download_path });
    const { outcome, events } = await seen(turn, call, { retry: false });
    expect(outcome).toBeInstanceOf(EmailPlatformError);
    expect(everythingOf([outcome, events])).not.toMatch(SECRET);
  }
});
