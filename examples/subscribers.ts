/** Leaves out the readers who want no newsletter. In a project of your own: npm install csv-parse */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { EmailPlatform } from 'email-platform';

/**
 * Yields the readers without contacts who unsubscribed and without suppressed addresses. Only the addresses that it leaves
 * out are in memory.
 */
export async function* subscribers<R extends { readonly email: string }>(
  client: EmailPlatform,
  readers: AsyncIterable<R> | Iterable<R>,
): AsyncGenerator<R> {
  const leftOut = new Set<string>();
  const { id } = await client.contacts.exports.create({
    filters: [{ name: 'subscription_status', operator: 'equal', value: 'unsubscribed' }],
  });
  const file = await client.contacts.exports.download(id, { pollMs: 500 });
  for await (const row of Readable.fromWeb(file as never).pipe(parse({ columns: true, bom: true })))
    leftOut.add((row as { email: string }).email.toLowerCase());
  for await (const { email } of client.suppressions.list()) leftOut.add(email.toLowerCase());
  for await (const reader of readers) if (!leftOut.has(addressOf(reader.email))) yield reader;
}

/** The address alone: of `Ann <ann@example.org>`, and without spaces. */
const addressOf = (email: string) => (/<([^<>]*)>\s*$/.exec(email)?.[1] ?? email).trim().toLowerCase();
