/** `email-platform journal`: what is open in a journal, settling it, and its schema. */
import { isEmailPlatformError } from '../core/error-guards.ts';
import type { JournalEntry } from '../journal/index.ts';
import { POSTGRES_SCHEMA } from '../journal/postgres-schema.ts';
import { SQLITE_SCHEMA } from '../journal/sqlite-schema.ts';
import { openJournal, type JournalPlace, type OpenJournal } from './journal-databases.ts';
import type { Surroundings } from './surroundings.ts';

/** What is done with a journal. */
export interface JournalCommand {
  readonly kind: 'journal';
  readonly action: 'status' | 'settle' | 'schema';
  readonly place: JournalPlace;
  readonly namespace?: string | undefined;
  readonly variable?: string | undefined;
}

/** Runs the command, and returns the exit code: 0 for success, 1 for a failure. */
export async function runJournal(
  { action, place, namespace, variable }: JournalCommand,
  { out, err, ended }: Surroundings,
): Promise<0 | 1> {
  if (action === 'schema') {
    out(place.kind === 'sqlite' ? SQLITE_SCHEMA : POSTGRES_SCHEMA);
    return 0;
  }
  let opened: OpenJournal | undefined;
  try {
    opened = await openJournal(place, { namespace, variable });
    out(await (action === 'status' ? status(opened) : settle(opened, ended)));
    return 0;
  } catch (error) {
    err(`${messageOf(error)}\n`);
    return 1;
  } finally {
    await opened?.close();
  }
}

async function status({ journal: { store, namespace } }: OpenJournal): Promise<string> {
  const open = [...(await store.open(namespace))].sort((a, b) => b.ageMs - a.ageMs);
  if (open.length === 0) return `No key is open in the namespace "${namespace}".\n`;
  const width = Math.max(...open.map(({ key }) => key.length));
  const now = Date.now();
  const line = ({ key, stream, state, ageMs }: JournalEntry) =>
    `${key.padEnd(width)}  ${stream.padEnd(13)}  ${WHY[state]}, since ${new Date(now - ageMs).toISOString()}\n`;
  return `${counted(open.length)} open in the namespace "${namespace}", oldest first:\n\n${open.map(line).join('')}`;
}

/** Why nobody knows what became of a key. */
const WHY: Readonly<Record<string, string>> = {
  claimed: 'its process did not report',
  unknown: 'no answer arrived',
};

async function settle({ journal }: OpenJournal, ended: Promise<unknown>): Promise<string> {
  // Only this needs the client.
  const { EmailPlatform } = await import('../index.ts');
  const client = new EmailPlatform({ journal });
  const abort = new AbortController();
  void ended.then(() => abort.abort());
  const { accepted, unknown } = await client.sending.settleUnknown({ signal: abort.signal });
  const lines = [
    ...accepted.map(({ key, message_ids: ids }) => `${key}: accepted, ${ids.join(', ')}`),
    ...unknown.map((key) => `${key}: unknown, the email log does not have it`),
    `${accepted.length} settled, ${unknown.length} still unknown`,
  ];
  return `${lines.join('\n')}\n`;
}

const counted = (count: number) => (count === 1 ? '1 key is' : `${count} keys are`);

/** Errors of a socket may have a code and no message. */
function messageOf(error: unknown): string {
  const { message, code, cause } = Object(error) as Readonly<Record<'message' | 'code' | 'cause', unknown>>;
  const text = typeof message === 'string' && message !== '' ? message : String(code ?? error);
  return isEmailPlatformError(error) && cause !== undefined ? `${text}: ${messageOf(cause)}` : text;
}
