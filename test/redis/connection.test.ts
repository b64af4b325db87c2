import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { connect, type Library } from '../../src/redis/connection.ts';

/** As much of an ioredis client as is needed to connect. It never gets an answer. */
class SilentClient extends EventEmitter {
  readonly duplicate = () => new SilentClient();
  readonly #unanswered = () => new Promise<unknown>(() => undefined);
  defineCommand = () => undefined;
  sendCommand = this.#unanswered;
  subscribe = this.#unanswered;
  unsubscribe = this.#unanswered;
}

/** As much of Bottleneck. */
const library = { IORedisConnection: EventEmitter } as unknown as Library;

test('a channel is left at once: an answer that comes late would leave it again for whoever has it by then', async () => {
  const { subscriber } = connect(new SilentClient(), library);
  await expect(subscriber.unsubscribe('channel')).resolves.toBeUndefined();
});
