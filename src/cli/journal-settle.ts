/** `email-platform journal settle`: searches the email log for open keys. */
import { printable } from '../core/error-text.ts';
import { jsonText } from './json-text.ts';
import type { DatabaseJournal } from '../entries/journal/index.ts';
import type { SettleResult } from '../core/settle-types.ts';
import type { Command } from './command.ts';
import { journalOptions, withJournal } from './journal-options.ts';
import { flightText, leaseEnds, type JournalKeys } from './journal-status.ts';
import { progressOf } from './progress.ts';
import type { Surroundings } from './surroundings.ts';

/** Adds the command. */
export function settleCommand(journal: Command, surroundings: Surroundings): void {
  const command = journal
    .command('settle')
    .description(
      'Searches the email log for open keys, and records the emails that it has. It sends nothing. The environment configures the client: EMAIL_PLATFORM_TOKEN, and the others.',
    );
  const place = journalOptions(command);
  const isListed = command.allows('--list', 'also list the keys');
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples({
    'email-platform journal settle --sqlite mail.db --env-file .env': 'the token is in the file',
  });
  command.action(() =>
    withJournal(place(), async (journal) => {
      const result = await settled(journal, surroundings);
      const flight = { inFlight: await journal.claimed(), now: Date.now() };
      surroundings.out(isJson() ? json(result, flight, isListed()) : words(result, flight, isListed()));
    }),
  );
}

async function settled(journal: DatabaseJournal, surroundings: Surroundings): Promise<SettleResult> {
  // Loaded here, because only this command needs the client.
  const { clientOf } = await import('./client.ts');
  const client = clientOf({ env: surroundings.env }, { journal });
  const abort = new AbortController();
  void surroundings.ended.then(() => abort.abort());
  const progress = progressOf(surroundings);
  try {
    return await client.sending.settleUnknown({
      signal: abort.signal,
      onProgress: ({ read, open, accepted }) =>
        progress.say(`${read} messages of the log read; ${accepted} of ${open} keys found`),
    });
  } finally {
    progress.end();
  }
}

/** The keys that were not settled, because their emails may be being sent. */
type Flight = Pick<JournalKeys, 'inFlight' | 'now'>;

const NEXT =
  'Next, with the same options: journal resend --all-unknown, if an email may arrive twice; journal release <key>, if it was certainly not sent.';

function words({ accepted, unknown }: SettleResult, flight: Flight, isListed: boolean): string {
  const inFlight = flightText(flight);
  const lines = [
    `${accepted.length} settled, ${unknown.length} still unknown`,
    ...(inFlight === undefined ? [] : [`${inFlight} Settle again after that.`]),
    ...(unknown.length === 0 ? [] : [NEXT]),
  ];
  if (isListed) {
    for (const { key, message_ids: ids } of accepted) lines.push(`${key}: accepted, ${ids.join(', ')}`);
    for (const key of unknown) lines.push(`${key}: unknown, the email log does not have it`);
  }
  return `${lines.map(printable).join('\n')}\n`;
}

const json = ({ accepted, unknown }: SettleResult, flight: Flight, isListed: boolean): string =>
  jsonText({
    settled: accepted.length,
    unknown: unknown.length,
    inFlight: flight.inFlight.length,
    leasesEnd: leaseEnds(flight) ?? null,
    ...(isListed && {
      settledKeys: accepted.map(({ key, message_ids: messageIds }) => ({ key, messageIds })),
      unknownKeys: unknown,
    }),
  });
