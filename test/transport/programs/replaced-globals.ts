/**
 * Sends an email and reads one, after something else was put in the place of globals. Prints what came of it; a send
 * that waited for a clock that stands still would print nothing.
 */
import { mock } from 'node:test';
import timers from 'node:timers';

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
    const Own = Promise;
    // As Bluebird: it can be called with `new`, and not be extended.
    function Replaced(this: unknown, executor: ConstructorParameters<typeof Promise>[0]) {
      if (Object(this).constructor !== Replaced)
        throw new TypeError('The constructor cannot be invoked directly.');
      return new Own(executor);
    }
    Replaced.prototype = Object.create(Own.prototype, { constructor: { value: Replaced } }) as object;
    for (const name of Object.getOwnPropertyNames(Own))
      if (!(name in Replaced))
        Object.defineProperty(Replaced, name, { value: Reflect.get(Own, name).bind(Own) });
    Object.assign(globalThis, { Promise: Replaced });
  },
};

REPLACED[process.argv[2] ?? '']?.();
const { EmailPlatform } = await import('email-platform');
const answer = { success: true, message_ids: ['1'], data: { id: 1 } };
const client = new EmailPlatform({
  token: 'token',
  hosts: { api: 'https://api.test', send: 'https://send.test' },
  fetch: async () => Response.json(answer),
});
const { message_ids } = await client.sending.send({
  from: 'a@b.example',
  to: 'c@d.example',
  subject: 's',
  text: 't',
});
const { data, response } = await client.campaigns.get(1).withResponse();
process.stdout.write(JSON.stringify([message_ids, data.id, response.status]));
