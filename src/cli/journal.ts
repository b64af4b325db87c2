/** `email-platform journal`: the open keys of a journal, how to settle them, and the schema. */
import { postgresDeliveriesSchema } from '../entries/journal/deliveries/postgres-schema.ts';
import { SQLITE_DELIVERIES_SCHEMA } from '../entries/journal/deliveries/sqlite-schema.ts';
import { postgresSchema } from '../entries/journal/postgres-schema.ts';
import { SQLITE_SCHEMA } from '../entries/journal/sqlite-schema.ts';
import type { Command } from './command.ts';
import { deliveriesCommand } from './journal-deliveries.ts';
import { freeCommand } from './journal-free.ts';
import { journalOptions, withJournal } from './journal-options.ts';
import { settleCommand } from './journal-settle.ts';
import { keysOf, shownStatus } from './journal-status.ts';
import type { Surroundings } from './surroundings.ts';

/** Adds the command. */
export function journalCommand(program: Command, surroundings: Surroundings): void {
  const journal = program
    .command('journal')
    .description(
      'Shows, settles and frees idempotency keys in a database, and shows the delivery status of emails.',
    )
    .usage('<command> --sqlite <file>|--postgres <url> [options]')
    .helpCommand(false);
  statusCommand(journal, surroundings);
  settleCommand(journal, surroundings);
  freeCommand(journal, surroundings, 'resend');
  freeCommand(journal, surroundings, 'release');
  deliveriesCommand(journal, surroundings);
  schemaCommand(journal, surroundings);
  journal.examples({
    'email-platform journal status --sqlite mail.db': 'the open keys, such as after a crash',
    'email-platform journal settle --sqlite mail.db --env-file .env': 'search the email log for them',
    'email-platform journal release --sqlite mail.db order/7':
      'free a key whose email was certainly not sent',
    'email-platform journal deliveries --sqlite mail.db --key order/7': 'did the email arrive?',
  });
}

function statusCommand(journal: Command, { out }: Surroundings): void {
  const command = journal
    .command('status')
    .description('Counts the open keys (their emails may have been sent), and the keys in flight.');
  const place = journalOptions(command);
  const isListed = command.allows('--list', 'also list the keys, oldest first');
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples({
    'email-platform journal status --sqlite mail.db': 'the totals',
    'email-platform journal status --sqlite mail.db --list --json': 'every key, for a program',
  });
  command.action(() =>
    withJournal(place(), async (journal) =>
      out(shownStatus(await keysOf(journal), { isListed: isListed(), isJson: isJson() })),
    ),
  );
}

function schemaCommand(journal: Command, { out }: Surroundings): void {
  const command = journal
    .command('schema')
    .description('Prints the statements that create the table. It connects to nothing.');
  const place = journalOptions(command);
  const hasDeliveries = command.allows('--deliveries', 'also the tables of deliveries');
  command.examples({
    'email-platform journal schema --postgres postgres://mail@localhost/mail': 'for your migrations',
  });
  command.action(() => {
    const { place: journal } = place();
    const [keys, deliveries] =
      journal.kind === 'sqlite'
        ? [SQLITE_SCHEMA, SQLITE_DELIVERIES_SCHEMA]
        : [postgresSchema(journal.schema), postgresDeliveriesSchema(journal.schema)];
    out(hasDeliveries() ? keys + deliveries : keys);
  });
}
