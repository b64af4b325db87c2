/** What others have written, the service, a database or a file, moves no cursor, hides nothing and begins no line. */
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { shownStatus } from '../../src/cli/journal-status.ts';
import { RECEIPT, templatesIn } from '../entries/templates/folders.ts';
import { cli } from './in-process.ts';

const HOSTILE = '\u001B[2J\u009B31m\u202E\u2028\r\nFORGED';

function expectPlain(text: string) {
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028]/u);
  expect(text).not.toMatch(/^FORGED/m);
}

/** JSON whose texts all end in a hostile one. */
const hostile = (value: unknown): unknown => {
  if (typeof value === 'string') return /^\d{4}-\d\d-/.test(value) ? value : value + HOSTILE;
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one)]));
};

/** A client whose responses have hostile texts, from these requests on. */
function clientOf(isHostile: (url: string) => boolean) {
  const emulator = createEmulator({ seed: 'demo', limits: false });
  const options = emulator.clientOptions();
  const at = Date.parse('2026-11-12T10:31:00.000Z');
  emulator.logs.add({ to: 'ann@example.org', from: 'hello@mail.example.com', sent_at: at, subject: 'Hi' });
  return new EmailPlatform({
    ...options,
    defaults: { from: 'hello@mail.example.com' },
    retry: false,
    fetch: async (input, init) => {
      const response = await options.fetch(input, init);
      const text = await response.text();
      const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
      const url = input instanceof Request ? input.url : String(input);
      const body = isJson && isHostile(url) ? JSON.stringify(hostile(JSON.parse(text))) : text;
      return new Response(text === '' ? null : body, response);
    },
  });
}

const folder = () => templatesIn({ receipt: RECEIPT });

test.each<[string, () => string[]]>([
  ['why', () => ['why', 'ann@example.org', '--days', '365']],
  ['why --lift', () => ['why', 'ann@example.org', '--lift', '--yes']],
  ['why --json', () => ['why', 'ann@example.org', '--json']],
  ['doctor', () => ['doctor', '--send', 'ann@example.org']],
  ['doctor --json', () => ['doctor', '--json']],
  ['templates plan', () => ['templates', 'plan', folder()]],
  ['templates pull', () => ['templates', 'pull', folder()]],
  ['templates push', () => ['templates', 'push', folder()]],
  ['templates check', () => ['templates', 'check', folder(), '--json']],
])('%s', async (_, args) => {
  let seen = '';
  for (const part of [
    /./,
    /suppressions/,
    /email_logs/,
    /contacts/,
    /domains/,
    /accounts/,
    /email_templates/,
  ]) {
    const client = clientOf((url) => part.test(url));
    const { out, err } = await cli(args(), {
      client: () => client,
      ask: async (question) => {
        expectPlain(question);
        return Promise.resolve('no');
      },
    });
    expectPlain(out + err);
    seen += out + err;
  }
  expect(seen).not.toBe('');
});

test('a report, its totals and its findings', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await client.sending.send({
    from: 'a@mail.example.com',
    to: 'ann@example.org',
    subject: 'Hi undefined',
    text: 'T',
  });
  const place = templatesIn({});
  const [file, changed] = [join(place, 'a.html'), join(place, 'b.html')];
  await emulator.report(file);
  const html = readFileSync(file, 'utf8').replace(
    /(id="report">)([^<]*)/,
    (_, begin: string, json: string) => {
      const data = JSON.parse(json) as Record<string, unknown>;
      const findings = hostile(data.findings);
      return (
        begin +
        JSON.stringify({ ...data, findings, sent: HOSTILE, kinds: hostile(data.kinds) }).replaceAll(
          '<',
          '\\u003c',
        )
      );
    },
  );
  writeFileSync(changed, html);
  const joined = await cli(['report', changed, file, '--out', join(place, 'c.html'), '--fail-on', 'error']);
  const summary = join(place, 'summary.md');
  const compared = await cli(['report', changed, '--against', file, '--summary', summary]);
  const missing = await cli(['report', `${HOSTILE}.html`, '--against', file]);
  for (const { out, err } of [joined, compared, missing]) expectPlain(out + err);
  expectPlain(readFileSync(summary, 'utf8'));
  expect(joined.out + joined.err).toContain('undefined');
});

test('the keys of a journal', () => {
  const entry = {
    key: HOSTILE,
    hash: '1:h',
    stream: 'bulk',
    state: 'unknown',
    attempt: 'a',
    ageMs: 1,
    leaseLeftMs: -1,
    messageIds: [],
  } as const;
  for (const isJson of [true, false]) {
    const text = shownStatus(
      { namespace: HOSTILE, open: [entry], inFlight: [], now: 0 },
      { isListed: true, isJson },
    );
    expectPlain(text);
    expect(text).toContain('FORGED');
  }
});
