import { describe, expect, test } from 'vitest';
import { isFull } from '../support/extent.ts';
import { lost, scriptedFetch } from '../support/scripted-fetch.ts';
import { good } from './answer-faults.ts';
import { CALLS, type Call } from './calls.ts';
import { outcomeOf, throughEverything, worldOf, type Outcome } from './cell.ts';
import { inheriting } from './inheriting.ts';

const URL_OF_API = 'https://api.test';

/** What the client looks for in its own data: endpoints, their decoders, and the requests made of them. */
const OF_ENDPOINTS = [
  ...[
    'host',
    'params',
    'wrapper',
    'encode',
    'settle',
    'unless',
    'alsoSends',
    'secrets',
    'field',
    'needs',
    'schema',
  ],
  ...[
    'refusal',
    'whenEmpty',
    'absent',
    'form',
    'prepareBody',
    'whileWanted',
    'maxBodyBytes',
    'check',
    'query',
  ],
  ...['optionsRule', 'signedUrl', 'maybeApiPath', 'alsoNamed', 'read', 'identity'],
];
/** What it looks for in what callers give it. */
const OF_CALLERS = [
  ...[
    'from',
    'to',
    'cc',
    'bcc',
    'reply_to',
    'subject',
    'category',
    'attachments',
    'headers',
    'custom_variables',
  ],
  ...[
    'template_uuid',
    'base',
    'repeatable',
    'stream',
    'sandboxInboxId',
    'as',
    'inbox_ids',
    'domain_ids',
    'search',
  ],
];
const NAMES = [...OF_ENDPOINTS, ...OF_CALLERS];
const VALUES = ['bulk', true, 7, { evil: 1 }];

const METHODS = ['campaigns.list', 'sending.send (transactional)', 'sending.batch', 'accounts.accesses.list'];
const calls = CALLS.filter(({ name }) => (isFull ? name !== 'campaigns.schedule' : METHODS.includes(name)));

interface Seen {
  readonly sent: string;
  readonly outcome: string;
}

const textOf = (outcome: Outcome) => {
  if (outcome.kind === 'error') return `error ${String(outcome.error)}`;
  return outcome.kind === 'result' ? JSON.stringify(outcome.value) : outcome.kind;
};

/** What is sent by a call, and what becomes of it. */
async function seen(call: Call): Promise<Seen> {
  const { fetch, sent } = scriptedFetch(good(call));
  const { client, time } = worldOf(URL_OF_API, { fetch });
  const promise = call.run(client, {}, { text: 'x', url: URL_OF_API });
  const outcome = await throughEverything(time, outcomeOf(promise));
  const requests = sent.map(({ method, url, body, redirect, headers }) => [
    ...[method, url, body, redirect, headers.get('authorization'), headers.get('content-type')],
  ]);
  return { sent: JSON.stringify(requests), outcome: textOf(outcome) };
}

/** Node's own fetch looks these up in objects that it makes itself, and fails. */
const FETCH_FAILS = ['headers'];

describe('what every object seems to have is nobody’s field', () => {
  test.each(NAMES)('%s', async (name) => {
    for (const call of calls) {
      const clean = await seen(call);
      for (const value of VALUES) {
        const now = await inheriting({ [name]: value }, () => seen(call)).catch((error: unknown): Seen => ({
          sent: '[]',
          outcome: textOf({ kind: 'error', error }),
        }));
        const failed = now.outcome.startsWith('error') && now.sent === '[]';
        if (failed && FETCH_FAILS.includes(name)) continue;
        expect({ name: call.name, value, ...now }).toEqual({ name: call.name, value, ...clean });
      }
    }
  });

  test('an email is not sent a second time because every object seems to be repeatable', async () => {
    const { fetch, sent } = scriptedFetch(lost);
    const { client, time } = worldOf(URL_OF_API, { fetch });
    const mail = { from: 'a@mail.example.com', to: ['b@example.org'], subject: 'Hi', text: 'Hello' };
    const outcome = await inheriting({ repeatable: true }, () =>
      throughEverything(time, outcomeOf(client.sending.send(mail))),
    );
    expect(outcome).toMatchObject({ kind: 'error', error: { effect: 'unknown' } });
    expect(sent).toHaveLength(1);
  });
});
