import { EmailPlatform, ResponseFormatError } from 'email-platform';
import { type Emulator, createEmulator } from 'email-platform/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { runs } from '../support/extent.ts';
import { json, scriptedFetch } from '../support/scripted-fetch.ts';

const plain = { throttle: false, retry: false } as const;

/** An emulator, a client, and a second client that calls `happens` before each of its requests after the first. */
function disturbed(options: Emulator.Options, happens: (request: number) => Promise<void> | void) {
  const emulator = createEmulator({ limits: false, ...options });
  let requests = 0;
  const fetch: EmailPlatform.Fetch = async (input, init) => {
    if (requests > 0) await happens(requests - 1);
    requests += 1;
    return emulator.fetch(input, init);
  };
  const client = new EmailPlatform({ ...emulator.clientOptions(), ...plain });
  return { emulator, client, reader: client.withOptions({ fetch }) };
}

interface Change {
  /** Number of campaigns added at the front. */
  readonly added: number;
  /** Positions of the campaigns that are removed. */
  readonly removed: readonly number[];
}

const growth = fc.array(fc.record({ added: fc.nat(9), removed: fc.constant([]) }), { maxLength: 40 });
const anyChange = fc.array(fc.record({ added: fc.nat(2), removed: fc.array(fc.nat(40), { maxLength: 3 }) }), {
  maxLength: 40,
});
const sizes = fc.record({ size: fc.nat(30), perPage: fc.integer({ min: 1, max: 7 }) });

/** Reads a list of campaigns that changes between pages. `stayed` are those that were there throughout, in order. */
async function readCampaigns(size: number, per_page: number, changes: readonly Change[]) {
  let ids: number[] = [];
  const { emulator, client, reader } = disturbed({}, async (request) => {
    const { added, removed } = changes[request] ?? { added: 0, removed: [] };
    const gone = ids.filter((_, position) => removed.includes(position));
    for (const id of gone) await client.campaigns.delete(id);
    ids = ids.filter((id) => !gone.includes(id));
    for (let count = 0; count < added; count += 1) ids.unshift(emulator.campaigns.add());
  });
  ids = Array.from({ length: size }, () => emulator.campaigns.add()).reverse();
  const original = ids;
  const seen = (await reader.campaigns.list({ per_page }).toArray()).map(({ id }) => id);
  return { seen, stayed: original.filter((id) => ids.includes(id)) };
}

describe('The list of campaigns', () => {
  test('property: while campaigns are created, none that was there is missed and none is yielded twice', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, growth, async ({ size, perPage }, changes) => {
        const { seen, stayed } = await readCampaigns(size, perPage, changes);
        expect(stayed).toHaveLength(size);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
      }),
      { numRuns: runs(100) },
    );
  });

  test('property: while campaigns are created and deleted, none is yielded twice', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, anyChange, async ({ size, perPage }, changes) => {
        const { seen } = await readCampaigns(size, perPage, changes);
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: runs(100) },
    );
  });
});

test('property: the log, while emails are sent, yields every message that was in it, each once', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, growth, async ({ size, perPage }, changes) => {
      const { emulator, reader } = disturbed({ logs: { pageSize: perPage } }, (request) => {
        for (let count = changes[request]?.added ?? 0; count > 0; count -= 1) emulator.logs.add();
      });
      const ids = emulator.logs.addMany(Array.from({ length: size }, () => ({}))).reverse();
      const seen = (await reader.emailLogs.list().toArray()).map(({ message_id }) => message_id);
      expect(seen).toEqual(ids);
    }),
    { numRuns: runs(100) },
  );
});

const array = (items: readonly object[]) => items;
const withLastId = (data: readonly { readonly id: string }[]) => ({ data, last_id: data.at(-1)?.id ?? null });

test.each<
  [
    string,
    (items: readonly { readonly id: string }[]) => object,
    (client: EmailPlatform) => AsyncIterable<{ readonly id: unknown }>,
  ]
>([
  ['suppressions', array, ({ suppressions }) => suppressions.list()],
  ['sandbox messages', array, ({ sandbox }) => sandbox.messages.list(1)],
  ['inbound messages', withLastId, ({ inbound }) => inbound.messages.list(1)],
  ['inbound threads', withLastId, ({ inbound }) => inbound.threads.list(1)],
  ['opt-outs from tracking', withLastId, ({ trackingOptOuts }) => trackingOptOuts.list()],
])(
  'The list of %s yields an item once if the next page repeats it, as after a deletion',
  async (_, pageOf, list) => {
    const pages = [['a', 'b'], ['b', 'c'], []].map((ids) => pageOf(ids.map((id) => ({ id }))));
    const { fetch } = scriptedFetch(json(200, pages[0]), json(200, pages[1]), json(200, pages[2]));
    const client = new EmailPlatform({ token: 'token', hosts: { api: 'https://api.test' }, ...plain, fetch });
    const seen: unknown[] = [];
    for await (const { id } of list(client)) seen.push(id);
    expect(seen).toEqual(['a', 'b', 'c']);
  },
);

/** A service with no last page: every page leads to another one. */
function endless(leadsTo: readonly number[], pageOf: (page: number, next: number) => object, key: string) {
  let requests = 0;
  const fetch: EmailPlatform.Fetch = (input) => {
    requests += 1;
    if (requests > 100) return Promise.resolve(new Response('That is enough.', { status: 500 }));
    const { searchParams } = new URL(input instanceof Request ? input.url : input);
    const page = Number.parseInt(searchParams.get(key)?.slice(-4) ?? '0', 10) % leadsTo.length;
    return Promise.resolve(Response.json(pageOf(page, leadsTo[page] ?? 0)));
  };
  const client = new EmailPlatform({ token: 'token', hosts: { api: 'https://api.test' }, ...plain, fetch });
  return { client, requests: () => requests };
}

describe('A list whose pages form a loop', () => {
  const leads = fc
    .integer({ min: 1, max: 8 })
    .chain((pages) => fc.array(fc.nat(pages - 1), { minLength: pages, maxLength: pages }));
  const uuid = (page: number) => `0d9cbb52-7e39-4b1e-9fd4-${String(page).padStart(12, '0')}`;

  test.each<
    [
      string,
      string,
      (page: number, next: number) => object,
      (client: EmailPlatform) => AsyncIterable<unknown>,
    ]
  >([
    [
      'campaigns',
      'token',
      (page, next) => ({ data: [{ id: page + 1 }], pagination: { token: page, next_token: next } }),
      ({ campaigns }) => campaigns.list(),
    ],
    [
      'the log',
      'search_after',
      (page, next) => ({
        messages: [{ message_id: uuid(page) }],
        total_count: 9,
        next_page_cursor: uuid(next),
      }),
      ({ emailLogs }) => emailLogs.list(),
    ],
  ])('property: %s: ends with an error once a page leads back', async (_, key, pageOf, list) => {
    await fc.assert(
      fc.asyncProperty(leads, async (leadsTo) => {
        const { client, requests } = endless(leadsTo, pageOf, key);
        const reading = (async () => {
          for await (const item of list(client)) if (item === undefined) break;
        })();
        const error = await rejection(reading, ResponseFormatError);
        expect([error.code, error.effect]).toEqual(['pagination_loop', 'none']);
        // The first page has no cursor of its own, so it may be read twice.
        expect(requests()).toBeLessThanOrEqual(leadsTo.length + 1);
      }),
      { numRuns: runs(100) },
    );
  });
});
