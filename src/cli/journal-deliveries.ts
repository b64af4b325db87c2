/** `email-platform journal deliveries`: shows what happened to emails, from the deliveries in a database. */
import { jsonText } from './json-text.ts';
import type { Deliveries, Delivery, DeliveryCount, DeliveryEvent } from '../entries/journal/index.ts';
import type { Command } from './command.ts';
import { openDeliveries } from './journal-databases.ts';
import { journalOptions } from './journal-options.ts';
import { shortLine } from './short-line.ts';
import type { Surroundings } from './surroundings.ts';
import { text } from './values.ts';

/** Deliveries that are shown of an address. */
const SHOWN = 50;
const SHOWN_BYTES = 300;

/** The secret that the addresses are hashed with. */
const SECRET = 'EMAIL_PLATFORM_ADDRESS_SECRET';

/** Adds the command. */
export function deliveriesCommand(journal: Command, { out, env }: Surroundings): void {
  const command = journal
    .command('deliveries')
    .description(
      'Shows what happened to the emails of a key, a message or an address. It reads the database only.',
    );
  const place = journalOptions(command);
  command.usage('--sqlite <file>|--postgres <url> --key <key>|--message <id>|--to <address> [options]');
  const key = command.takes('--key <key>', 'the idempotency key of an email', text);
  const messageId = command.takes('--message <id>', 'the id of a message', text);
  const to = command.takes(
    '--to <address>',
    `the address of a recipient: its newest ${SHOWN} emails. For hashed addresses, set their secret in ${SECRET}`,
    text,
  );
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples({
    'email-platform journal deliveries --sqlite mail.db --key order/7/receipt': 'did the receipt arrive?',
    'email-platform journal deliveries --sqlite mail.db --to ann@example.org --json': 'for a program',
  });
  command.action(async () => {
    const given = { key: key(), messageId: messageId(), recipient: to() };
    if (Object.values(given).filter((one) => one !== undefined).length !== 1)
      command.error('needs one of --key <key>, --message <id> and --to <address>');
    const { place: where, ...options } = place();
    const { [SECRET]: hash } = env;
    const addresses = hash === undefined ? ('plain' as const) : { hash };
    const { deliveries, close } = await openDeliveries(where, options, addresses);
    try {
      const found = await wanted(deliveries, given);
      out(isJson() ? jsonText(found.slice(0, SHOWN)) : shownDeliveries(found, given.recipient));
    } finally {
      await close();
    }
  });
}

interface Wanted {
  readonly key: string | undefined;
  readonly messageId: string | undefined;
  readonly recipient: string | undefined;
}

/** The deliveries; of an address, one more than are shown. */
async function wanted(deliveries: Deliveries, { key, messageId, recipient }: Wanted): Promise<Delivery[]> {
  if (key !== undefined) return deliveries.of({ key });
  if (messageId !== undefined) return deliveries.of({ messageId });
  const found: Delivery[] = [];
  for await (const delivery of deliveries.list({ recipient })) {
    found.push(delivery);
    if (found.length > SHOWN) break;
  }
  return found;
}

function shownDeliveries(found: readonly Delivery[], recipient: string | undefined): string {
  if (found.length === 0) return 'Nothing is recorded.\n';
  const shown = found
    .slice(0, SHOWN)
    .map((delivery) => shownDelivery(delivery, recipient))
    .join('\n');
  return found.length > SHOWN ? `${shown}\nOlder emails are not shown.\n` : shown;
}

const line = (value: string) => shortLine(value, SHOWN_BYTES);

const time = (at: Date) => at.toISOString().replace('.000', '');

function shownDelivery(delivery: Delivery, asked: string | undefined): string {
  const { messageId, key, status, at, opens, clicks, events } = delivery;
  const recipient = asked ?? delivery.recipient;
  const head = [
    `${line(status)}${at === null ? '' : ` ${time(at)}`}`,
    ...(recipient === null ? [] : [`to ${line(recipient)}`]),
    ...(key === null ? [] : [`key ${line(key)}`]),
    `message ${line(messageId)}`,
  ];
  const counts = [counted('opened', opens), counted('clicked', clicks)].filter((one) => one !== '');
  const others = events.filter(({ type }) => type !== 'open' && type !== 'click').map(shownEvent);
  return [head.join(', '), ...others, ...counts]
    .map((one, index) => `${index === 0 ? '' : '  '}${one}\n`)
    .join('');
}

const shownEvent = ({ type, at, code, category, text: words }: DeliveryEvent) =>
  [`${time(at)} ${type}`, category, words ?? code]
    .filter((part) => part !== null)
    .map((part) => line(part))
    .join('; ');

function counted(verb: string, { count, first, last }: DeliveryCount): string {
  if (first === null || last === null) return '';
  const times = first.getTime() === last.getTime() ? time(first) : `${time(first)} to ${time(last)}`;
  return `${verb} ${count}×: ${times}`;
}
