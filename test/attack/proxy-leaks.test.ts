/**
 * The proxy's answers as places where the token might stand: in every form, in results, refusals, headers and files, and
 * at the borders of the pieces in which a file is searched.
 */
import { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { fromPage, proxyOf } from '../entries/proxy/harness.ts';
import { covering } from '../support/covering.ts';
import { isFull, runs } from '../support/extent.ts';
import { scriptedFetch, together, type Turn } from '../support/scripted-fetch.ts';
import { FORMS, kindOf, shows } from './leak-forms.ts';
import { BODIES, groupOf, places } from './leak-places.ts';

const TOKEN = 'tok/3n+S3cr3t&aB9~xyz-0123456789_/QwErTy';
const CAMPAIGN = '/api/api/email_campaigns/7';
const EML = '/api/api/sandboxes/1/messages/2/body.eml';

let combinations = 0;
afterAll(() => {
  process.stdout.write(
    `proxy leaks: ${combinations} combinations of place and form (${isFull ? 'all' : 'a covering set'})\n`,
  );
});

/** A proxy whose service always gives this answer; to make one takes longer than to ask it. */
function behind(turn: Turn) {
  const { fetch } = scriptedFetch(turn);
  const hosts = { api: 'https://service-7f3a.test' };
  const client = new EmailPlatform({ token: TOKEN, hosts, fetch, throttle: false, retry: false });
  return proxyOf(client);
}

/** The readable text of a response, for a page; a file may break off. */
async function received(response: Response): Promise<{ text: string; isBroken: boolean }> {
  const head = [response.status, ...response.headers].join('\n');
  const parts: Uint8Array[] = [];
  try {
    for await (const part of response.body ?? []) parts.push(part);
  } catch {
    return { text: head + Buffer.concat(parts).toString('latin1'), isBroken: true };
  }
  return { text: head + Buffer.concat(parts).toString('latin1'), isBroken: false };
}

describe('The token cannot be read in what a page receives, in any form', () => {
  const ok =
    (body: BodyInit, type: string): Turn =>
    () =>
      new Response(body, { headers: { 'content-type': type } });
  const asBytes = (encoding: BufferEncoding) => (text: string) =>
    ok(Buffer.from(`\xff\x00\xfe${text}\r\n`, encoding), 'message/rfc822');
  const results: [string, string, (text: string) => Turn][] = [
    ...Object.entries(BODIES).flatMap(([name, body]): typeof results => [
      [`200, JSON, ${name}`, CAMPAIGN, (text) => ok(body(text), 'application/json')],
      [`200, text, ${name}`, CAMPAIGN, (text) => ok(body(text), 'text/html')],
      [`200, a file, ${name}`, EML, (text) => ok(body(text), 'text/plain')],
    ]),
    ['a file of bytes', EML, asBytes('latin1')],
    ['a file in UTF-16', EML, asBytes('utf16le')],
    ['a result in UTF-16', CAMPAIGN, (text) => ok(Buffer.from(text, 'utf16le'), 'application/json')],
  ];
  const others = [...places(TOKEN)].flatMap(([name, place]): typeof results => {
    const { options, schema } = place('');
    // Skips hooks, schemas and functions, which other tests of the client check.
    return (options ?? schema) ? [] : [[name, CAMPAIGN, (text) => place(text).turn ?? ok('', 'text/plain')]];
  });

  const all = [...results, ...others];
  /** The token stands at each place as it is and in another form; in each form, at places of every sort. */
  const forms = covering(Object.entries(FORMS), all, { kind: kindOf, group: ([name]) => groupOf(name) });

  test.each(all.map((at) => [at[0], at] as const))('%s', async (_, at) => {
    const [, path, turnOf] = at;
    const leaks: string[] = [];
    let turn: Turn = () => Promise.reject(new Error('There is no answer yet.'));
    const { proxy } = behind((request) => turn(request));
    for (const [form, write] of forms.get(at) ?? []) {
      try {
        turn = turnOf(write(TOKEN));
        await turn({} as never);
      } catch (error) {
        // Some texts cannot stand in a header.
        if (error instanceof TypeError && /ByteString|header|statusText/i.test(error.message)) continue;
        turn = turnOf(write(TOKEN));
      }
      combinations += 1;
      const { text } = await received(await proxy(fromPage(path)));
      if (shows(text.replaceAll('\0', ''), TOKEN) || text.includes('service-7f3a')) leaks.push(form);
    }
    expect(leaks).toEqual([]);
  });
});

test.each([
  ['a result', CAMPAIGN],
  ['a file', EML],
])('of one of thirty calls at once, whose token function returns another each time: %s', async (_, path) => {
  const echo: Turn = ({ headers }) => Response.json({ data: [{ name: headers.get('authorization') }] });
  let made = 0;
  const client = new EmailPlatform({
    token: () => `tk-${(made += 1)}-${'x'.repeat(20)}`,
    hosts: { api: 'https://service-7f3a.test' },
    fetch: scriptedFetch(together(30, echo)).fetch,
    throttle: false,
    retry: false,
  });
  const { proxy } = proxyOf(client, { share: 1 });
  const pages = Array.from({ length: 30 }, async () => received(await proxy(fromPage(path))));
  for (const { text } of await Promise.all(pages)) expect(text).not.toMatch(/tk-\d/);
});

describe('A file', () => {
  const filler = Buffer.from(Array.from({ length: 400_000 }, (_, at) => ((at * 7919 + (at >> 7)) % 94) + 33));
  const chunked =
    (bytes: Uint8Array, chunk: number): Turn =>
    () => {
      let at = 0;
      return new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => {
            if (at >= bytes.length) controller.close();
            else controller.enqueue(bytes.slice(at, (at += chunk)));
          },
        }),
      );
    };

  test('arrives byte for byte, whatever pieces it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400_000 }),
        fc.integer({ min: 500, max: 200_000 }),
        async (size, chunk) => {
          const bytes = filler.subarray(0, size);
          const response = await behind(chunked(bytes, chunk)).proxy(fromPage(EML));
          expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: runs(100) },
    );
  }, 60_000);

  test('breaks off before a token in it, wherever that stands, in whatever form and pieces', async () => {
    const forms = fc.constantFrom(...Object.values(FORMS));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400_000 }),
        fc.integer({ min: 500, max: 200_000 }),
        forms,
        async (at, chunk, write) => {
          combinations += 1;
          const written = Buffer.from(`\n${write(TOKEN)}\n`);
          const all = Buffer.concat([filler.subarray(0, at), written, filler.subarray(at)]);
          const { proxy, failures } = behind(chunked(all, chunk));
          const response = await proxy(fromPage(EML));
          const { text, isBroken } = await received(response);
          expect(response.status === 502 || isBroken).toBe(true);
          // Looking for all forms in a megabyte takes long: the token is at the end of what could have come through.
          expect(shows(text.slice(-4_000), TOKEN)).toBe(false);
          expect(text.length).toBeLessThan(at + 2_000);
          expect(failures).toMatchObject([{ operation: 'sandbox.messages.eml' }]);
        },
      ),
      { numRuns: runs(200) },
    );
  }, 60_000);
});
