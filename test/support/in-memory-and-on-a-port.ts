import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { afterEach } from 'vitest';

/** An emulator and a client of it. */
export interface Connected {
  readonly emulator: Emulator;
  readonly client: EmailPlatform;
  /** Another client of the same emulator, with these options. */
  readonly connect: (options: EmailPlatformOptions) => EmailPlatform;
}

export type Connect = (options?: Emulator.Options) => Promise<Connected>;

const servers = new Set<Emulator.Server>();

afterEach(async () => {
  await Promise.all([...servers].map((server) => server.close()));
  servers.clear();
});

async function connected(options: Emulator.Options, isOnSocket: boolean): Promise<Connected> {
  const emulator = createEmulator(options);
  const server = isOnSocket ? await emulator.listen({ port: 0 }) : undefined;
  if (server) servers.add(server);
  const connect = (more: EmailPlatformOptions) =>
    new EmailPlatform({ ...(server ?? emulator).clientOptions(), ...more });
  return { emulator, client: connect({}), connect };
}

/** Both ways to reach an emulator, for `describe.each`. */
export const inMemoryAndOnAPort: readonly (readonly [string, Connect])[] = [
  ['in memory', (options = {}) => connected(options, false)],
  ['on a socket', (options = {}) => connected(options, true)],
];
