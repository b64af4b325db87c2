import { EmailPlatform } from 'email-platform';
import type { TemplateFolder } from 'email-platform/templates';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { vi } from 'vitest';
import { RedisServer } from '../support/redis/redis-server.ts';

let emulator: Emulator | undefined;

/** The state in which an emulator is left: its timers would keep the demo in memory until the campaigns of the demo are due. */
const NOTHING = createEmulator().snapshot();

function current(): Emulator {
  if (emulator === undefined) throw new Error('openWorld() comes first');
  return emulator;
}

/** The surroundings of a snippet. */
export interface WorldOptions {
  readonly withRedis?: boolean;
  /** Templates of the account, besides those of the demo. */
  readonly templates?: readonly TemplateFolder[];
}

/**
 * Starts a demo emulator for one snippet, sets the environment to reach it, and starts a Redis if needed. Returns a
 * function that stops both.
 */
export async function openWorld({ withRedis = false, templates = [] }: WorldOptions = {}): Promise<
  () => Promise<void>
> {
  const redis = withRedis ? await RedisServer.create() : undefined;
  const named = new Set(Object.keys(process.env));
  // Nothing is shown of these times, so that no snippet has to wait.
  const contacts = { importMs: 100, exportMs: 100 };
  emulator = createEmulator({ seed: 'demo', templates, contacts });
  const server = await emulator.listen({ port: 0, control: true });
  const { token, accountId, sandboxInboxId, hosts } = server.clientOptions();
  vi.stubEnv('EMAIL_PLATFORM_TOKEN', token);
  vi.stubEnv('EMAIL_PLATFORM_ACCOUNT_ID', String(accountId));
  vi.stubEnv('EMAIL_PLATFORM_SANDBOX_INBOX_ID', String(sandboxInboxId));
  vi.stubEnv('EMAIL_PLATFORM_API_URL', hosts.api);
  vi.stubEnv('EMAIL_PLATFORM_SEND_URL', hosts.send);
  vi.stubEnv('EMAIL_PLATFORM_BULK_URL', hosts.bulk);
  vi.stubEnv('EMAIL_PLATFORM_SANDBOX_URL', hosts.sandbox);
  vi.stubEnv('EMAIL_PLATFORM_CONTROL_URL', server.control?.url);
  vi.stubEnv('EMAIL_PLATFORM_CONTROL_TOKEN', server.control?.token);
  // Not set, whatever the machine has; a snippet may set them.
  for (const name of ['EMAIL_PLATFORM_RECIPIENTS', 'EMAIL_PLATFORM_REDIRECT_TO']) vi.stubEnv(name, undefined);
  if (redis) vi.stubEnv('REDIS_URL', redis.url);
  return async () => {
    vi.unstubAllEnvs();
    // What the snippet itself has set.
    for (const name of Object.keys(process.env))
      if (!named.has(name)) Reflect.deleteProperty(process.env, name);
    emulator?.restore(NOTHING);
    emulator = undefined;
    await server.close();
    await redis?.stop();
  };
}

/** The names a snippet may use without declaring them. */
export const ambient = {
  client: () => new EmailPlatform(),
  emulator: current,
  /** A draft with everything a campaign needs to be sent. */
  draft: () => new EmailPlatform().campaigns.get(current().campaigns.add({ name: 'Spring in the garden' })),
};
