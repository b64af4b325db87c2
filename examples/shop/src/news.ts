/** The newsletter. A random token in each email's link identifies its reader, which no one can guess. */
import { randomUUID } from 'node:crypto';
import { oneClickUnsubscribe, type EmailPlatform } from 'email-platform';
import type { Db } from './database.ts';

/** The newsletter of the shop. */
export type News = ReturnType<typeof createNews>;

interface Reader {
  readonly email: string;
  readonly token: string;
}

/** `origin` is the shop's own, such as `https://shop.example.com`: emails link to it. */
export function createNews(db: Db, client: EmailPlatform, origin: string) {
  const insert = db.prepare<[string, string]>(
    'INSERT INTO readers (email, token) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const select = db.prepare<[], Reader>('SELECT email, token FROM readers');
  const remove = db.prepare<[string]>('DELETE FROM readers WHERE token = ?');

  return {
    subscribe: (email: string) => insert.run(email, randomUUID()),
    /** Ends a subscription. A token that is unknown, or was used before, changes nothing. */
    unsubscribe: (token: string) => remove.run(token),
    /** Sends an issue to each reader, with one key for each email. Resolves with the totals. */
    send: (issue: string, { subject, text }: { readonly subject: string; readonly text: string }) => {
      const readers: readonly Reader[] = select.all();
      return client.sending.batchAll(
        readers.map(({ email, token }) => {
          const link = `${origin}/unsubscribe?token=${token}`;
          return { to: email, text: `${text}\n\nUnsubscribe: ${link}`, headers: oneClickUnsubscribe(link) };
        }),
        { base: { subject }, stream: 'bulk', idempotencyKey: ({ to }) => `news/${issue}/${to}` },
      );
    },
  };
}
