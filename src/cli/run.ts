import { createEmulator, type EmulatorServer } from '../testing/index.ts';
import { VERSION } from '../version.ts';
import { readArguments, USAGE, UsageError, type Command } from './arguments.ts';
import { runJournal } from './journal.ts';
import type { Surroundings } from './surroundings.ts';

/** Runs a command and returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { out, err, ended } = surroundings;
  let command: Command;
  try {
    command = readArguments(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    err(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (command.kind === 'help') {
    out(USAGE);
    return 0;
  }
  if (command.kind === 'version') {
    out(`${VERSION}\n`);
    return 0;
  }
  if (command.kind === 'journal') return runJournal(command, surroundings);
  let server: EmulatorServer;
  try {
    server = await createEmulator({ token: randomToken(), ...command.options }).listen(command.listen);
  } catch (error) {
    err(`${explain(error, command.listen.port)}\n`);
    return 1;
  }
  out(greeting(server));
  await ended;
  await server.close();
  return 0;
}

/** A token that nobody can guess. It begins with a letter, so that it can be given to `--token`. */
function randomToken(): string {
  return `emu_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')}`;
}

/** How to connect to the server. All of it is valid in an `.env` file, so that it can be saved as one. */
function greeting(server: EmulatorServer): string {
  const { token, accountId, sandboxInboxId, hosts } = server.clientOptions();
  return `# The emulator listens on ${server.url} (Ctrl-C ends it). To connect:

EMAIL_PLATFORM_TOKEN=${token}
EMAIL_PLATFORM_ACCOUNT_ID=${accountId}
EMAIL_PLATFORM_SANDBOX_INBOX_ID=${sandboxInboxId}
EMAIL_PLATFORM_API_URL=${hosts.api}
EMAIL_PLATFORM_SEND_URL=${hosts.send}
EMAIL_PLATFORM_BULK_URL=${hosts.bulk}
EMAIL_PLATFORM_SANDBOX_URL=${hosts.sandbox}

# curl -H 'Authorization: Bearer ${token}' '${hosts.api}/api/email_campaigns?per_page=2'
`;
}

function explain(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Choose another with --port, or 0 for any free one.`;
  if (code === 'EACCES')
    return `You do not have permission to use port ${port}. Choose one above 1023 with --port.`;
  return `The emulator could not start: ${error instanceof Error ? error.message : String(error)}`;
}
