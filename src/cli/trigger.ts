/** `email-platform trigger`: posts a signed event to a receiver of webhooks. */
import { jsonText } from './json-text.ts';
import { readFileSync } from 'node:fs';
import { didYouMean } from '../kit/did-you-mean.ts';
import { isAllowedHost } from '../testing/common/allowed-hosts.ts';
import { isSendingType, isTriggerType, TRIGGER_TYPES } from '../testing/trigger/sample-events.ts';
import { unknownField } from '../testing/trigger/set-fields.ts';
import { triggerEvent, type TriggeredPost, type TriggerOptions, type TriggerType } from '../testing/index.ts';
import { isYes, type Surroundings } from './surroundings.ts';
import { InvalidValue, type Command } from './command.ts';
import { Failure, messageOf } from './failure.ts';
import { shortLine } from './short-line.ts';
import { signatureHeaderOf } from './signature-header.ts';
import { addressOf, text } from './values.ts';

export const SECRET_VARIABLE = 'EMAIL_PLATFORM_WEBHOOK_SECRET';

/** Number of bytes that are shown of a response. */
const SHOWN_BYTES = 2_048;

/** Adds the command. */
export function triggerCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('trigger [types...]')
    .usage('<type...>|--body <file> --to <address> [options]')
    .description(
      `Posts signed events to your webhook receiver, in the service's format; several types are the events of one email. Signs with the secret in ${SECRET_VARIABLE}, or prints a new one. Exits with 1 unless every response is a 200: after any other, the service repeats the post.`,
    );
  const to = command.takes('--to <address>', 'the receiver, such as localhost:3000/hooks', addressOf('--to'));
  const fields = command.takesMany(
    '--set <field=value>',
    'a field of the event, such as email=ann@example.org or custom_variables.order=A-7; a value that is JSON is read as JSON',
    fieldOf,
  );
  const file = command.takes(
    '--body <file>',
    'post this file unchanged, with a signature: { "events": [ … ] }, or one event on each line',
    text,
  );
  const isTwice = command.allows('--twice', 'post everything twice: the second time with the same event_id');
  const isShuffled = command.allows(
    '--shuffle',
    'post the events in another order: the service promises no order',
  );
  const lists = command.allows('--list', 'list the types of events');
  const header = signatureHeaderOf(command, surroundings.env);
  const agreed = command.allows('--yes', 'do not ask before a post to another machine');
  const isJson = command.allows('--json', 'print each post as JSON on one line');
  command.examples({
    'email-platform trigger bounce --to localhost:3000/hooks': 'an event with example data',
    'email-platform trigger delivery --to localhost:3000/hooks --set custom_variables.order=A-7':
      'with your own data',
    'email-platform trigger delivery open click --to localhost:3000/hooks --twice --shuffle':
      'three events of one email, each twice, in another order',
  });
  command.action(async (types: readonly string[]) => {
    const { out, env } = surroundings;
    if (lists()) {
      out(`${TRIGGER_TYPES.join('\n')}\n`);
      return;
    }
    const url = to() ?? command.error('needs --to <address>');
    const events = eventsOf(command, types, file());
    const set = Object.fromEntries(fields());
    checkFields(command, events, Object.keys(set));
    if (isShuffled() && events.length === 1) command.error('--shuffle needs two types or more');
    await agree(command, surroundings, url, agreed());
    const given = env[SECRET_VARIABLE] ?? '';
    const options = optionsOf(url, header());
    const refused: number[] = [];
    const posted = new Map<Posted, TriggeredPost>();
    let secret = given;
    const order = isTwice() ? [...events, ...events] : events;
    for (const event of isShuffled() ? shuffled(order) : order) {
      const before = posted.get(event);
      const post = await (before
        ? triggerEvent({ body: before.body }, { ...options, secret })
        : triggerEvent(event.posts, {
            ...options,
            set: { ...event.shared, ...set },
            ...(secret !== '' && { secret }),
          }));
      if (secret === '' && !isJson()) out(`# ${SECRET_VARIABLE}=${post.secret}\n`);
      // The JSON has the new secret, so that the next post can use it.
      const made = secret === '' ? { secret: post.secret } : {};
      ({ secret } = post);
      posted.set(event, post);
      const shown = { event: event.name, ...shownOf(post) };
      out(isJson() ? jsonText({ ...shown, ...made }) : `${lineOf(shown)}\n`);
      if (post.status !== SUCCESS) refused.push(post.status);
    }
    const [status] = refused;
    if (status !== undefined) throw new Failure(`${url} responded with ${status}${remedy(status)}`);
  });
}

/** The only status that the service takes as success. */
const SUCCESS = 200;

/** An event to post, with the fields that it shares with the others; or a body. */
interface Posted {
  readonly name: string;
  readonly posts: TriggerType | { readonly body: string };
  readonly shared?: Readonly<Record<string, unknown>>;
}

/** The items in another order than the given one, if they differ. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const order = items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
  // By chance it is the given order: begins with another item.
  return order.every((item, index) => item === items[index])
    ? [...order.slice(1), ...order.slice(0, 1)]
    : order;
}

/** Refuses names that no event has as a field. */
function checkFields(command: Command, events: readonly Posted[], names: readonly string[]): void {
  for (const { posts } of events) {
    if (typeof posts !== 'string' && names.length > 0) command.error('--set has no effect with --body');
    for (const name of names) {
      const problem = typeof posts === 'string' ? unknownField(posts, name) : undefined;
      if (problem !== undefined) command.error(`--set: ${problem} (--body)`);
    }
  }
}

function fieldOf(input: string): readonly [string, unknown] {
  const at = input.indexOf('=');
  if (at < 1) throw new InvalidValue(`--set must look like email=ann@example.org, not "${input}"`);
  const value = input.slice(at + 1);
  try {
    return [input.slice(0, at), JSON.parse(value)];
  } catch {
    return [input.slice(0, at), value];
  }
}

/** Other services name an event by more words: `spam_complaint`, `opened`. */
function suggestion(type: string): string {
  const meant = didYouMean(type, TRIGGER_TYPES);
  const part = TRIGGER_TYPES.find((known) => type.toLowerCase().includes(known));
  return meant === '' && part !== undefined ? didYouMean(part, TRIGGER_TYPES) : meant;
}

/** The events to post. Several events of emails are about one email, a second apart. */
function eventsOf(command: Command, types: readonly string[], file: string | undefined): readonly Posted[] {
  if ((types.length === 0) === (file === undefined)) command.error('needs either a type or --body <file>');
  if (file !== undefined) return [{ name: file, posts: { body: bodyIn(file) } }];
  const messageId = crypto.randomUUID();
  const seconds = Math.floor(Date.now() / 1000);
  return types.map((type, index) => {
    if (!isTriggerType(type))
      return command.error(`unknown type '${type}'${suggestion(type)} (--list shows all types)`);
    const isShared = types.length > 1 && isSendingType(type);
    const shared = isShared ? { message_id: messageId, timestamp: seconds + index } : {};
    return { name: type, posts: type, shared };
  });
}

function bodyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`The file of --body cannot be read: ${messageOf(error)}`);
  }
}

const optionsOf = (to: string, signatureHeader: string | undefined): TriggerOptions => ({
  to,
  ...(signatureHeader !== undefined && { signatureHeader }),
});

/** Asks before a post to another machine: its database would record a false bounce as a real one. */
async function agree(command: Command, { ask }: Surroundings, url: string, isAgreed: boolean): Promise<void> {
  const { host } = new URL(url);
  if (isAgreed || isAllowedHost(host, [])) return;
  if (!ask) return command.error(`needs --yes to post to another machine (${host})`);
  if (!(await isYes(ask, `${host} is another machine, which will treat the event as real. Continue?`)))
    throw new Failure('Nothing was posted.');
}

interface Shown {
  readonly status: number;
  readonly durationMs: number;
  readonly response: string;
}

const shownOf = ({ status, durationMs, response }: Shown): Shown => ({
  status,
  durationMs,
  response: shortLine(response, SHOWN_BYTES),
});

const lineOf = ({ event, status, durationMs, response }: Shown & { readonly event: string }): string =>
  `${event} → ${status} in ${durationMs} ms${response === '' ? '' : `   ${response}`}`;

function remedy(status: number): string {
  if (status === 401 || status === 403)
    return `: check that the receiver verifies with the secret in ${SECRET_VARIABLE}`;
  if (status === 404 || status === 405) return ': check the path of --to';
  if (status >= 300 && status < 400) return ': the service follows no redirect, and counts it as a failure';
  if (status < 300)
    return ': only 200 is success; the service posts again after any other status, 40 times, and then pauses the webhook';
  return ': the service would post again';
}
