// Every status and failure, of a request that may be repeated and of one that may not, with a key and without: whether it
// is retried, why, and what its error says of the effect. The table of docs/rate-limits-and-retries.md says the same.
import type { EmailPlatformError } from 'email-platform';
import type { EmailPlatform } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { MemoryStore } from '../entries/journal/memory-store.ts';
import {
  broken,
  empty,
  failure,
  json,
  lost,
  refusedConnection,
  scriptedFetch,
  silence,
  text,
  type Turn,
} from '../support/scripted-fetch.ts';
import { isFull } from '../support/extent.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

/** A failure: what `fetch` does, and the options of the call. */
type Failure = readonly [
  turn: Turn,
  options?: { readonly timeoutMs?: number; readonly deadlineMs?: number; readonly isAborted?: true },
];

interface Row {
  /** The row in the guide. */
  readonly guide: string;
  readonly failures: Readonly<Record<string, Failure>>;
  /** Why a repeatable request is retried; undefined if it is not. */
  readonly repeatable: EmailPlatform.RetryEvent['reason'] | undefined;
  /** Why any other is. */
  readonly other: EmailPlatform.RetryEvent['reason'] | undefined;
  readonly effect: EmailPlatform.Effect;
  /** For a GET, where it differs. */
  readonly effectOfRead?: EmailPlatform.Effect;
}

const statuses = (from: number, to: number, ...others: readonly number[]): Record<string, Failure> =>
  Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, index) => from + index)
      .filter((status) => !others.includes(status))
      .map((status) => [String(status), [empty(status)]]),
  );

const thrown = { repeatable: undefined, other: undefined };

const TABLE: readonly Row[] = [
  {
    guide: '429',
    failures: statuses(429, 429),
    repeatable: 'rate_limited',
    other: 'rate_limited',
    effect: 'none',
  },
  {
    guide: 'unknown host, no connection',
    failures: {
      'unknown host': [failure(broken('ENOTFOUND', 'getaddrinfo'))],
      'no connection': [refusedConnection],
    },
    repeatable: 'never_sent',
    other: 'never_sent',
    effect: 'none',
  },
  {
    guide: "the host's certificate was refused, or the host has no TLS",
    failures: { certificate: [failure(broken('CERT_HAS_EXPIRED'))] },
    ...thrown,
    effect: 'none',
  },
  {
    guide: "the host's certificate was refused, or the host has no TLS",
    failures: { 'no TLS': [failure(broken('ERR_SSL_WRONG_VERSION_NUMBER'))] },
    ...thrown,
    effect: 'unknown',
  },
  {
    guide: 'the connection broke, any network error in a browser',
    failures: {
      broke: [lost],
      'in a browser': [failure(new TypeError('Failed to fetch'))],
    },
    repeatable: 'connection_lost',
    other: undefined,
    effect: 'unknown',
  },
  {
    guide: 'no complete response within `timeoutMs`',
    failures: { timeout: [silence, { timeoutMs: 1_000 }] },
    repeatable: 'timed_out',
    other: undefined,
    effect: 'unknown',
  },
  {
    guide: '408, 5xx except 501',
    failures: { ...statuses(408, 408), ...statuses(500, 599, 501) },
    repeatable: 'server_error',
    other: undefined,
    effect: 'unknown',
  },
  {
    guide: '501, any other 4xx',
    failures: { ...statuses(400, 499, 408, 429), ...statuses(501, 501) },
    ...thrown,
    effect: 'none',
  },
  { guide: 'a redirect', failures: statuses(300, 399), ...thrown, effect: 'unknown' },
  {
    guide: 'a 2xx that is not the documented response',
    failures: { text: [text(200, 'OK')], list: [json(200, [])], empty: [empty(204)] },
    ...thrown,
    effect: 'unknown',
    effectOfRead: 'none',
  },
  {
    guide: 'aborted, deadline passed',
    failures: { aborted: [silence, { isAborted: true }], deadline: [silence, { deadlineMs: 500 }] },
    ...thrown,
    effect: 'unknown',
  },
];

const MAIL = { from: 'a@b.test', to: 'c@d.test', subject: 'S', text: 'T' };

interface Options {
  readonly timeoutMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** The kinds of requests, with what is sent for each. */
const REQUESTS: Readonly<
  Record<string, readonly ['repeatable' | 'other', (client: EmailPlatform, options: Options) => unknown]>
> = {
  'a read': ['repeatable', (client, options) => client.campaigns.get(1, options)],
  'an email that may come twice': [
    'repeatable',
    (client, options) => client.sending.send(MAIL, { ...options, repeatable: true }),
  ],
  'an email': ['other', (client, options) => client.sending.send(MAIL, options)],
  'an email with a key': [
    'other',
    (client, options) => client.sending.send(MAIL, { ...options, idempotencyKey: 'key' }),
  ],
};

const success = json(200, { data: { id: 1 }, success: true, message_ids: ['id'] });

/** What becomes of a request whose first attempt fails like this. */
async function outcomeOf(
  [turn, { isAborted, ...options } = {}]: Failure,
  run: (client: EmailPlatform, options: Options) => unknown,
): Promise<{ reason: string | undefined; effect: EmailPlatform.Effect | undefined }> {
  const abort = new AbortController();
  const { fetch } = scriptedFetch((request) => {
    const response = turn(request);
    if (isAborted) abort.abort();
    return response;
  }, success);
  const retries: EmailPlatform.RetryEvent[] = [];
  const { client, time } = virtualClient({
    fetch,
    hosts: { api: 'https://api.test', send: 'https://send.test' },
    hooks: { onRetry: (event) => void retries.push(event) },
    journal: createJournal(new MemoryStore(() => time.now())),
  });
  const ended = Promise.resolve(run(client, { ...options, signal: abort.signal })).catch(
    (error: unknown) => error,
  );
  const end = await throughItsWaits(time, ended);
  expect(retries.length).toBeLessThanOrEqual(1);
  const [retry] = retries;
  if (retry) expect(end).not.toBeInstanceOf(Error);
  return { reason: retry?.reason, effect: retry?.error.effect ?? (end as EmailPlatformError).effect };
}

// ky is loaded at the first call, which takes real time.
beforeAll(async () => {
  await virtualClient({ fetch: scriptedFetch(success).fetch }).client.campaigns.get(1);
});

/**
 * The failures of a row to try with a request. Of a hundred statuses, in full all; otherwise the first, the last and
 * every second one, so that each meets a request that is repeatable and one that is not.
 */
const takenOf = ({ failures }: Row, request: number) =>
  Object.entries(failures).filter(
    ([name], index, all) =>
      isFull ||
      all.length < 10 ||
      index === 0 ||
      index === all.length - 1 ||
      Number(name) % 2 === request % 2,
  );

const requests = Object.entries(REQUESTS).map(([name, request], index) => [name, request, index] as const);

describe.each(requests)('Whether %s is retried', (_, [kind, run], request) => {
  test.each(TABLE.map((row) => [`${row.guide} (${Object.keys(row.failures)[0]}, …)`, row] as const))(
    'after %s',
    async (_name, row) => {
      const isRead = run === REQUESTS['a read']?.[1];
      const effect = (isRead ? row.effectOfRead : undefined) ?? row.effect;
      for (const [name, failed] of takenOf(row, request))
        expect([name, await outcomeOf(failed, run)]).toEqual([name, { reason: row[kind], effect }]);
    },
  );
});

/** A cell of the guide's table: whether the request is retried, and the effect, where that is the same in every case. */
const cellOf = (rows: readonly Row[], kind: 'repeatable' | 'other') => ({
  isRetried: rows.every((row) => row[kind] !== undefined),
  isUnknown: rows.every((row) => row[kind] === undefined && row.effect === 'unknown'),
});

test('the guide says the same of every row', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/rate-limits-and-retries.md'), 'utf8');
  const [, section = ''] = /\n## Retried failures\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const [, table = ''] = /\n(\| failure [\s\S]*?)\n\n/.exec(section) ?? [];
  const [, , ...rows] = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const said = rows.map(([, failed = '', repeatable = '', other = '']) => ({
    failed,
    repeatable: repeatable.startsWith('retried'),
    other: { isRetried: other.startsWith('retried'), isUnknown: other.includes("effect `'unknown'`") },
  }));
  const shown = [...new Set(TABLE.map((row) => row.guide))].map((failed) => {
    const of = TABLE.filter((row) => row.guide === failed);
    return { failed, repeatable: cellOf(of, 'repeatable').isRetried, other: cellOf(of, 'other') };
  });
  expect(said).toEqual(shown);
});
