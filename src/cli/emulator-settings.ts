/** The connection settings of an emulator, as text, as JSON, and as a file. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Emulator } from '../testing/index.ts';
import { Failure, messageOf } from './failure.ts';

/** The connection settings of an emulator. */
export interface EmulatorSettings {
  readonly url: string;
  /** Environment variables for a client and a test. */
  readonly variables: Readonly<Record<string, string>>;
  /** The address of the page, for browsers. */
  readonly browserUrl?: string;
}

/** Makes the settings of a server. `more` has further variables. */
export function settingsOf(
  server: Emulator.Server,
  more: Readonly<Record<string, string>> = {},
): EmulatorSettings {
  const { token, accountId, sandboxInboxId, hosts } = server.clientOptions();
  const { url, control } = server;
  return {
    url,
    variables: {
      EMAIL_PLATFORM_TOKEN: token,
      EMAIL_PLATFORM_ACCOUNT_ID: String(accountId),
      EMAIL_PLATFORM_SANDBOX_INBOX_ID: String(sandboxInboxId),
      EMAIL_PLATFORM_API_URL: hosts.api,
      EMAIL_PLATFORM_SEND_URL: hosts.send,
      EMAIL_PLATFORM_BULK_URL: hosts.bulk,
      EMAIL_PLATFORM_SANDBOX_URL: hosts.sandbox,
      ...(control && {
        EMAIL_PLATFORM_CONTROL_URL: control.url,
        EMAIL_PLATFORM_CONTROL_TOKEN: control.token,
      }),
      ...more,
    },
    ...(control && { browserUrl: control.browserUrl() }),
  };
}

const FIRST_WORDS = '# The emulator listens on ';

/** The printed settings. The text is a valid `.env` file. */
export function greeting({ url, variables, browserUrl }: EmulatorSettings): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const browser = browserUrl === undefined ? '' : `# Page: ${browserUrl}\n\n`;
  const { EMAIL_PLATFORM_TOKEN: token, EMAIL_PLATFORM_API_URL: api } = variables;
  return `${FIRST_WORDS}${url} (Ctrl-C ends it). To connect:

${lines.join('\n')}

${browser}# curl -H 'Authorization: Bearer ${token}' '${api}/api/email_campaigns?per_page=2'
`;
}

/**
 * Writes an `.env` file that only its owner can read, because it contains tokens. Writes the whole file or nothing,
 * and replaces only a file of an earlier start.
 *
 * @throws {@link Failure} if it cannot be written, or is a file of another kind
 */
export function writeSettings(file: string, contents: string): void {
  const part = `${file}.${process.pid}.part`;
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (before !== '' && !before.startsWith(FIRST_WORDS))
      throw new Error(`"${file}" exists, and is not a file of an emulator: choose another name`);
    writeFileSync(part, contents, { mode: 0o600, flag: 'wx' });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new Failure(`The file of --write-env cannot be written: ${messageOf(error)}`);
  }
}
