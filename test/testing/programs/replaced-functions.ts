/**
 * Replaces functions of Node by others that never call back, before or after the import, and prints how each call ends:
 * `ok`, or the functions that its error names. The arguments are the functions, `before` or `after`, and the two entries.
 */
import timers from 'node:timers';
import type * as library from 'email-platform';
import type * as testing from 'email-platform/testing';

const [, , names = '', when, main = '', emulated = ''] = process.argv;
const never = () => ({ unref: () => undefined });
const inTimers = (...names: string[]) => {
  for (const name of names) {
    Object.assign(globalThis, { [name]: never });
    Object.assign(timers, { [name]: never });
  }
};
const REPLACE: Readonly<Record<string, () => void>> = {
  queueMicrotask: () => Object.assign(globalThis, { queueMicrotask: never }),
  nextTick: () => Object.assign(process, { nextTick: never }),
  setImmediate: () => inTimers('setImmediate', 'clearImmediate'),
  timers: () => inTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'),
  performance: () =>
    Object.assign(globalThis, {
      performance: Object.assign(Object.create(performance) as object, { now: () => 0 }),
    }),
  Date: () => {
    class Standing extends Date {
      static override now = () => 0;
      constructor(...given: [] | [number]) {
        super(given[0] ?? 0);
      }
    }
    Object.assign(globalThis, { Date: Standing });
  },
};
const replace = () => {
  for (const name of names.split('+')) REPLACE[name]?.();
};

if (when === 'before') replace();
const { EmailPlatform } = (await import(main)) as typeof library;
const { createEmulator, mailbox } = (await import(emulated)) as typeof testing;
if (when === 'after') replace();

const email = {
  from: 'a@mail.example.com',
  to: 'ann@example.org',
  subject: 'S',
  text: 'Your code is 480113',
};
const emulator = createEmulator();
const options = emulator.clientOptions();
const client = new EmailPlatform(options);
const answer = { success: true, message_ids: ['1'] };

const CALLS: Readonly<Record<string, () => PromiseLike<unknown>>> = {
  send: () => client.sending.send(email),
  attach: () =>
    client.sending.send({ ...email, attachments: [{ filename: 'a.txt', content: new Blob(['a', 'b']) }] }),
  list: () => client.emailLogs.list().toArray(),
  read: async () => (await mailbox(emulator).waitFor({ subject: 'S' })).code(),
  wait: () =>
    emulator.waitForMessages({ to: 'x@example.org', waitMs: 10 }).then(
      () => Promise.reject(new Error('there is none')),
      () => 'in time',
    ),
  // Each of these reads what Node made of a text.
  handler: async () => {
    const remove = emulator.on('POST /api/send', () => Response.json(answer));
    return client.sending.send(email).finally(remove);
  },
  text: () =>
    new EmailPlatform({
      ...options,
      fetch: () => Promise.resolve(new Response(JSON.stringify(answer))),
    }).sending.send(email),
  request: () =>
    options.fetch(
      new Request(`${options.hosts.send}/api/send`, {
        method: 'POST',
        body: '{}',
        headers: { authorization: `Bearer ${options.token}` },
      }),
    ),
  // These need a network.
  listen: async () => {
    const server = await emulator.listen({ port: 0 });
    await new EmailPlatform(server.clientOptions()).sending.send(email);
    await server.close();
  },
  fetch: () =>
    new EmailPlatform({
      ...options,
      hosts: { send: 'http://127.0.0.1:9' },
      fetch: undefined,
      retry: false,
    }).sending
      .send(email)
      .catch((error: unknown) =>
        String(error).includes('fake') ? Promise.reject(error as Error) : undefined,
      ),
};
const ends: string[] = [];
for (const [name, call] of Object.entries(CALLS)) {
  const end = await Promise.resolve(call()).then(
    () => 'ok',
    (error: unknown) => /replaced (.*), without/.exec(String(error))?.[1] ?? String(error),
  );
  ends.push(`${name}: ${end}`);
}
process.stdout.write(ends.join('\n'), () => process.exit());
