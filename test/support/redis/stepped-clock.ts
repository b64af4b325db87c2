import type { Redis } from 'ioredis';
import type { RedisServer } from './redis-server.ts';

const STEP_KEY = 'seconds that the clock was set by';

interface Override {
  readonly scripts: Readonly<Record<string, { readonly lua: string }>>;
}

/** Has the scripts read a clock that can be set. The text that they read the real one with must be there. */
function onSteppedClock(scripts: Override['scripts']): Override['scripts'] {
  return Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => {
      const lua = script.lua.replaceAll(
        `redis.call('time')`,
        `(function() local time = redis.call('time')
          return {time[1] + (redis.call('get', '${STEP_KEY}') or 0), time[2]} end)()`,
      );
      return [name, { ...script, lua }];
    }),
  );
}

/** The same client, whose duplicates read the clock that can be set. */
export function withSteppedClock(client: Redis): Redis {
  const duplicate: (override: object) => Redis = client.duplicate.bind(client);
  const stepped = (override: Override) =>
    duplicate({ ...override, scripts: onSteppedClock(override.scripts) });
  return Object.assign(client, { duplicate: stepped });
}

/** A Redis whose clock can be set, as the scripts of the throttle read it. */
export class SteppedClock {
  readonly #server: RedisServer;

  constructor(server: RedisServer) {
    this.#server = server;
  }

  /** A client whose duplicates read this clock. */
  client(): Redis {
    return withSteppedClock(this.#server.client());
  }

  /** Sets the clock to so many seconds ahead of the real one; a negative number is behind it. */
  async set(redis: Redis, seconds: number): Promise<void> {
    await redis.set(STEP_KEY, seconds);
  }
}
