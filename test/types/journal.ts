import { EmailPlatform, IdempotencyError, type BatchRequest } from 'email-platform';
import {
  createJournal,
  postgresJournal,
  sqliteJournal,
  type JournalStore,
  type PostgresDatabase,
  type PostgresJournal,
  type SqliteDatabase,
  type SqliteJournal,
} from 'email-platform/journal';
import { journalContract } from 'email-platform/testing';
import type { WebhookEvent } from 'email-platform/webhooks';

declare const db: SqliteDatabase;
declare const pool: PostgresDatabase;
declare const event: WebhookEvent;
declare const store: JournalStore;
declare const mails: (BatchRequest & { readonly to: string })[];
declare const mail: {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};
declare const test: (name: string, run: () => Promise<void>) => void;

export async function right(): Promise<readonly string[]> {
  const journal: SqliteJournal = sqliteJournal(db, { namespace: 'a', variable: 'key', onUnknown: 'resend' });
  await journal.setup();
  const forgotten: number = await journal.forget({ before: new Date() });
  const fleet: PostgresJournal = postgresJournal(pool, { namespace: 'b', schema: 'shop' });
  const hasKey: boolean = await fleet.settleFrom(event);
  const client = new EmailPlatform({ journal: hasKey ? fleet : journal });
  client.withOptions({ journal: createJournal(store, { settleAfterMs: 60_000 }) });
  const { replayed, message_ids } = await client.sending.send(mail, { idempotencyKey: 'welcome/123' });
  // The function gets what the input has.
  const run = client.sending.batchAll(mails, { idempotencyKey: ({ to }, index) => `${to.trim()}/${index}` });
  for await (const outcome of run) if (outcome.status === 'accepted' && outcome.replayed) run.stop();
  const result: EmailPlatform.SettleResult = await client.sending.settleUnknown({
    onProgress: ({ read, open, accepted }) => read + open + accepted,
  });
  journalContract(test, () => store);
  return [...message_ids, ...result.unknown, String(replayed), journal.schema, String(forgotten)];
}

export function errors(error: unknown): string {
  if (!(error instanceof IdempotencyError)) return '';
  const code: 'key_reused' | 'in_progress' | 'unknown' = error.code;
  const { state, message_ids } = error.previous;
  const milliseconds: number | undefined = error.retryAfterMs;
  return [code, error.key, state, ...message_ids, milliseconds].join();
}

export async function wrong(client: EmailPlatform): Promise<void> {
  // @ts-expect-error -- a key is text
  await client.sending.send(mail, { idempotencyKey: 7 });
  // @ts-expect-error -- batchAll makes a key for each email
  void client.sending.batchAll(mails, { idempotencyKey: 'news-42' });
  // @ts-expect-error -- batch takes no keys
  await client.sending.batch({ requests: mails }, { idempotencyKey: 'news-42' });
  // @ts-expect-error -- a moment, not a time
  await sqliteJournal(db).forget({ before: 90 });
  // @ts-expect-error -- a database, not its name
  sqliteJournal('mail.db');
  // @ts-expect-error -- a pool, not its address
  postgresJournal('postgres://localhost/mail');
  // @ts-expect-error -- SQLite has no schemas
  sqliteJournal(db, { schema: 'shop' });
  // @ts-expect-error -- one of two words
  createJournal(store, { onUnknown: 'ignore' });
  // @ts-expect-error -- a journal, not its store
  new EmailPlatform({ journal: store });
}
