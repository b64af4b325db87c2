/** An account of the emulator beside a folder of templates. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';

/** A client of an emulator that plays an account, 2001, without retries. */
export function accountOf(options: Emulator.Options = {}) {
  const emulator = createEmulator({ accountId: 2001, ...options });
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  const requests = () =>
    emulator.requests.map(({ method, path }) => `${method} ${path.replace(/.*\/accounts\/\d+/, '')}`);
  return { emulator, client, requests };
}

/** A client whose requests go through a function, which sends them or does not. */
export function clientThrough(
  emulator: Emulator,
  through: (request: Request, send: () => Promise<Response>) => Promise<Response>,
): EmailPlatform {
  const { fetch, ...options } = emulator.clientOptions();
  return new EmailPlatform({
    ...options,
    retry: false,
    fetch: (input, init) => {
      const request = new Request(input, init);
      return through(request.clone(), () => fetch(request));
    },
  });
}

/** The text of a file in a folder. */
export const textIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

/** The lock of a folder. */
export const lockIn = (folder: string) =>
  JSON.parse(textIn(folder, 'templates.lock.json')) as Record<
    string,
    Record<string, Record<string, unknown>>
  >;
