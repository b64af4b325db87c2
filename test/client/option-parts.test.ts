/**
 * The parts of an option of the client: a rule that refuses a wrong value, an effect that a call shows, and a row in the
 * guide. An option without one of them fails here, by its name.
 */
import { readFileSync } from 'node:fs';
import { ConfigurationError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import * as schemas from 'email-platform/schemas';
import { afterEach, expect, test, vi } from 'vitest';
import { MemoryStore } from '../entries/journal/memory-store.ts';
import { json, lost, scriptedFetch, silence, type Turn } from '../support/scripted-fetch.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { NEVER_MS, throughItsWaits, virtualRuntime } from '../support/virtual-client.ts';

const root = new URL('../../', import.meta.url);
const declared = /\nexport interface EmailPlatformOptions \{\n([^]*?)\n\}/.exec(
  readFileSync(new URL('src/client/options.ts', root), 'utf8'),
)?.[1];
const names = [...(declared ?? '').matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => name);

interface Row<Value> {
  /** A value whose effect is different from that of the option's absence. */
  readonly value: Value;
  /** What the option's rule refuses. */
  readonly wrong: unknown;
  /** Other options that the effect needs. */
  readonly beside?: EmailPlatformOptions;
  /** How the service responds, if not with a campaign. */
  readonly turn?: Turn;
  readonly isInPage?: boolean;
}

const lines: unknown[] = [];
const log = (...line: readonly unknown[]) => lines.push(line);
const logger = { debug: log, info: log, warn: log, error: log };
const unavailable = json(503, { error: 'unavailable' });
const wrongCampaign = json(200, { data: { id: 'seven' } });
const HOSTS = { api: 'https://api.test', send: 'https://send.test', bulk: 'https://bulk.test' };

const rows: { readonly [Name in keyof EmailPlatformOptions]-?: Row<EmailPlatformOptions[Name]> } = {
  token: { value: 'other', wrong: 'two words' },
  auth: { value: 'api-token', wrong: 'basic' },
  accountId: { value: 7, wrong: '7' },
  stream: { value: 'bulk', wrong: 'fast' },
  sandboxInboxId: {
    value: 5,
    wrong: 0,
    beside: { stream: 'sandbox', hosts: { ...HOSTS, sandbox: 'https://sandbox.test' } },
  },
  defaults: { value: { category: 'receipts' }, wrong: { category: 5 } },
  recipients: { value: { allow: ['ann@example.com'] }, wrong: { allow: 'ann' } },
  journal: { value: createJournal(new MemoryStore()), wrong: {} },
  domain: { value: 'example.com', wrong: 'https://example.com', beside: { hosts: {} } },
  hosts: { value: { ...HOSTS, api: 'https://other.test' }, wrong: { api: 'other' } },
  timeoutMs: { value: 50, wrong: 0, beside: { deadlineMs: 1_000 }, turn: silence },
  deadlineMs: { value: 50, wrong: 0, beside: { timeoutMs: 1_000 }, turn: silence },
  retry: { value: false, wrong: true, turn: unavailable },
  throttle: { value: { limits: { token: { requests: 2, perMs: 1_000 } } }, wrong: true },
  fetch: { value: () => Promise.resolve(Response.json({ data: { id: 8 } })), wrong: 'fetch' },
  hooks: { value: { onStart: log }, wrong: { onStart: true } },
  logger: { value: logger, wrong: log, turn: lost },
  logLevel: { value: 'debug', wrong: 'all', beside: { logger } },
  sendCallId: { value: true, wrong: 'yes' },
  schemas: { value: schemas, wrong: 'zod', beside: { logger }, turn: wrongCampaign },
  validateResponses: { value: 'throw', wrong: true, beside: { schemas, logger: false }, turn: wrongCampaign },
  appInfo: { value: { name: 'shop' }, wrong: { name: 'my shop' } },
  dangerouslyAllowBrowser: { value: true, wrong: 'yes', isInPage: true },
  dangerouslyAllowHttp: {
    value: true,
    wrong: 'yes',
    beside: { hosts: { ...HOSTS, api: 'http://10.0.0.1' } },
  },
};

afterEach(() => {
  vi.unstubAllGlobals();
});

const MAIL = { from: 'shop@example.com', to: ['bob@example.com'], subject: 'Hello', text: 'Hello' };

/** What a program sees of some calls with these options: requests, results, errors, log lines and the time they took. */
async function seen(options: EmailPlatformOptions, { turn, isInPage }: Row<unknown>): Promise<string> {
  if (isInPage === true) {
    vi.stubGlobal('window', { document: {} });
    vi.stubGlobal('location', { href: 'https://shop.test/', origin: 'https://shop.test' });
  }
  lines.length = 0;
  const { fetch, sent } = scriptedFetch(turn ?? json(200, { data: { id: 7 } }));
  const time = new VirtualTime();
  const outcomes: unknown[] = [];
  try {
    const client = new EmailPlatform(
      { token: 'token', hosts: HOSTS, fetch, throttle: false, timeoutMs: NEVER_MS, ...options },
      virtualRuntime(time),
    );
    const calls: (() => PromiseLike<unknown>)[] = [
      () => client.campaigns.get(7),
      () => client.campaigns.get(7),
      () => client.campaigns.get(7),
      () => client.billing.usage(),
      () => client.sending.send(MAIL),
      () => client.sending.send(MAIL, { idempotencyKey: 'order-7' }),
    ];
    for (const call of calls)
      outcomes.push(
        await throughItsWaits(time, Promise.resolve().then(call)).catch((error: unknown) => String(error)),
      );
  } catch (error) {
    outcomes.push(String(error));
  } finally {
    vi.unstubAllGlobals();
  }
  const requests = sent.map(({ method, url, headers, body }) => [method, url, [...headers], body]);
  return JSON.stringify([requests, outcomes, lines, time.now()]);
}

const guide = readFileSync(new URL('docs/connecting.md', root), 'utf8');
const table = /\n## Options of a client\n([^]*?)\n#/.exec(guide)?.[1] ?? '';
const inGuide = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name);

/** The missing parts of an option, each as a sentence. */
async function missingParts(name: string): Promise<string[]> {
  const missing: string[] = [];
  if (!inGuide.includes(name))
    missing.push(`${name} has no row in docs/connecting.md, "Options of a client"`);
  if (!Object.hasOwn(rows, name))
    return [...missing, `${name} has no row in test/client/option-parts.test.ts`];
  const row = rows[name as keyof typeof rows] as Row<unknown>;
  try {
    void new EmailPlatform({ token: 'token', hosts: HOSTS, ...row.beside, [name]: row.wrong });
    missing.push(`${name} has no rule in src/client/option-rules.ts that refuses the wrong value of its row`);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).option.split('.')[0]).toBe(name);
  }
  const without = await seen({ ...row.beside }, row);
  if ((await seen({ ...row.beside }, row)) !== without)
    missing.push(`${name}: two runs without it already differ, so its row shows no effect`);
  if ((await seen({ ...row.beside, [name]: row.value }, row)) === without)
    missing.push(`${name} changes nothing: with and without the value of its row, calls are the same`);
  return missing;
}

test('each option of the client has a rule, an effect, and a row in the guide', async () => {
  expect(names).toContain('token');
  const missing: string[] = [];
  for (const name of names) missing.push(...(await missingParts(name)));
  expect(missing).toEqual([]);
  expect([...inGuide].sort()).toEqual([...names].sort());
  expect(Object.keys(rows).sort()).toEqual([...names].sort());
});
