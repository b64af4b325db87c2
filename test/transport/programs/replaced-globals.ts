/**
 * Sends an email and reads one, after something else was put in the place of globals. Prints what came of it; a send
 * that waited for a clock that stands still would print nothing.
 */
import { mock } from 'node:test';
import timers from 'node:timers';
import type * as library from 'email-platform';

const REPLACED: Readonly<Record<string, () => void>> = {
  'the mock timers of Node': () =>
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate'] }),
  'the timers of Vitest, Jest and Sinon': () => {
    const standing = Object.assign(() => undefined, { clock: {} });
    Object.defineProperty(standing, 'name', { value: 'setImmediate' });
    Object.assign(timers, { setImmediate: standing });
    Object.assign(globalThis, { setImmediate: standing });
  },
  'another Promise': () => {
    // As Bluebird: it can be called with `new`, and not be extended.
    class Replaced<T> extends Promise<T> {
      static override get [Symbol.species]() {
        return Promise;
      }

      constructor(executor: ConstructorParameters<typeof Promise<T>>[0]) {
        super(executor);
        if (new.target !== Replaced) throw new TypeError('The constructor cannot be invoked directly.');
      }
    }
    Object.assign(globalThis, { Promise: Replaced });
  },
};

REPLACED[process.argv[2] ?? '']?.();
const { EmailPlatform } = (await import(process.argv[3] ?? '')) as typeof library;
const answer = { success: true, message_ids: ['1'], data: { id: 1 } };
const client = new EmailPlatform({
  token: 'token',
  hosts: { api: 'https://api.test', send: 'https://send.test' },
  fetch: () => Promise.resolve(Response.json(answer)),
});
const { message_ids } = await client.sending.send({
  from: 'a@b.example',
  to: 'c@d.example',
  subject: 's',
  text: 't',
});
const { data, response } = await client.campaigns.get(1).withResponse();
process.stdout.write(JSON.stringify([message_ids, data.id, response.status]));
