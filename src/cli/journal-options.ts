/** The options that select a journal, and a function that opens it. */
import type { Command } from './command.ts';
import { openJournal, type JournalPlace, type OpenJournal } from './journal-databases.ts';
import { text } from './values.ts';

/** The selected journal. */
export interface JournalOptions {
  readonly place: JournalPlace;
  readonly namespace: string | undefined;
  readonly variable: string | undefined;
}

/** Adds the options. */
export function journalOptions(command: Command): () => JournalOptions {
  command.usage('--sqlite <file>|--postgres <url> [options]');
  const sqlite = command.takes(
    '--sqlite <file>',
    'the database is a file; needs Node 22.13 or later, or better-sqlite3',
    text,
  );
  const postgres = command.takes(
    '--postgres <url>',
    'the database is a server, such as postgres://mail@localhost/mail; needs pg. Other users of this machine can see the URL in the list of its processes: set the password in PGPASSWORD',
    text,
  );
  const schema = command.takes(
    '--schema <name>',
    'the schema of the table, with --postgres (default: by the search path of the role)',
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
    if (file !== undefined && url === undefined) {
      if (schema() !== undefined) return command.error('--schema needs --postgres <url>');
      return { place: { kind: 'sqlite', at: file }, ...rest };
    }
    if (url !== undefined && file === undefined)
      return { place: { kind: 'postgres', at: url, schema: schema() }, ...rest };
    return command.error('needs either --sqlite <file> or --postgres <url>');
  };
}

/** Opens a journal, and closes it after `use`. */
export async function withJournal(
  { place, ...options }: JournalOptions,
  use: (journal: OpenJournal['journal']) => Promise<void>,
): Promise<void> {
  const { journal, close } = await openJournal(place, options);
  try {
    await use(journal);
  } finally {
    await close();
  }
}
