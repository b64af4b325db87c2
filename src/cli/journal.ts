/** `email-platform journal`: what is open in a journal, settling it, and its schema. */
import type { JournalEntry } from '../journal/index.ts';
import { POSTGRES_SCHEMA } from '../journal/postgres-schema.ts';
import { SQLITE_SCHEMA } from '../journal/sqlite-schema.ts';
import type { Command } from './command.ts';
import { openJournal, type JournalPlace, type OpenJournal } from './journal-databases.ts';
import type { Surroundings } from './surroundings.ts';
import { text } from './values.ts';

/** Adds the command. */
export function journalCommand(program: Command, surroundings: Surroundings): void {
  const { out, ended } = surroundings;
  const journal = program
    .command('journal')
    .description('The keys of sends, in a database: what is open, and what became of it.')
    .usage('<command> --sqlite <file>|--postgres <url> [options]')
    .helpCommand(false);

  const status = journal
    .command('status')
    .description('Lists the keys that are open: their emails may have been sent, and nobody knows.');
  const ofStatus = databaseOptions(status);
  status.examples({ 'email-platform journal status --sqlite mail.db': 'what is open' });
  status.action(() => withJournal(ofStatus(), async (opened) => out(await statusOf(opened))));

  const settle = journal
    .command('settle')
    .description(
      'Looks for open keys in the email log, and records which emails it has. It sends nothing. The client is made from the environment: EMAIL_PLATFORM_TOKEN, and the others.',
    );
  const ofSettle = databaseOptions(settle);
  settle.examples({
    'email-platform journal settle --sqlite mail.db --env-file .env': 'the token is in the file',
  });
  settle.action(() => withJournal(ofSettle(), async (opened) => out(await settled(opened, ended))));

  const schema = journal
    .command('schema')
    .description('Prints the statements that create the table. It connects to nothing.');
  const ofSchema = databaseOptions(schema);
  schema.examples({
    'email-platform journal schema --postgres postgres://mail@localhost/mail': 'for your migrations',
  });
  schema.action(() => out(ofSchema().place.kind === 'sqlite' ? SQLITE_SCHEMA : POSTGRES_SCHEMA));
}

interface DatabaseOptions {
  readonly place: JournalPlace;
  readonly namespace: string | undefined;
  readonly variable: string | undefined;
}

/** The options that say which journal is meant. */
function databaseOptions(command: Command): () => DatabaseOptions {
  command.usage('--sqlite <file>|--postgres <url> [options]');
  const sqlite = command.takes(
    '--sqlite <file>',
    'the database is a file; needs Node 22.13 or later, or better-sqlite3',
    text,
  );
  const postgres = command.takes(
    '--postgres <url>',
    'the database is a server, such as postgres://mail@localhost/mail; needs pg. Other users of this machine can see the URL in the list of its processes: PGPASSWORD can have the password',
    text,
  );
  const namespace = command.takes('--namespace <name>', 'the namespace of the keys (default: default)', text);
  const variable = command.takes(
    '--variable <name>',
    'the custom variable that carries the key (default: idempotency_key)',
    text,
  );
  return () => {
    const [file, url] = [sqlite(), postgres()];
    const rest = { namespace: namespace(), variable: variable() };
    if (file !== undefined && url === undefined) return { place: { kind: 'sqlite', at: file }, ...rest };
    if (url !== undefined && file === undefined) return { place: { kind: 'postgres', at: url }, ...rest };
    return command.error('needs either --sqlite <file> or --postgres <url>');
  };
}

/** Opens a journal, and closes it in the end. */
async function withJournal(
  { place, ...options }: DatabaseOptions,
  use: (opened: OpenJournal) => Promise<void>,
): Promise<void> {
  const opened = await openJournal(place, options);
  try {
    await use(opened);
  } finally {
    await opened.close();
  }
}

async function statusOf({ journal: { store, namespace } }: OpenJournal): Promise<string> {
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

async function settled({ journal }: OpenJournal, ended: Promise<unknown>): Promise<string> {
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
