/** `email-platform trigger`: posts a signed event to a receiver of webhooks. */
import { readFileSync } from 'node:fs';
import { didYouMean } from '../testing/declare/near.ts';
import { isAllowedHost } from '../testing/common/allowed-hosts.ts';
import { isTriggerType, TRIGGER_TYPES } from '../testing/trigger/sample-events.ts';
import { triggerEvent, type TriggerOptions } from '../testing/index.ts';
import { isYes } from './agree.ts';
import { InvalidValue, type Command } from './command.ts';
import { Failure, messageOf } from './failure.ts';
import { printable } from './printable.ts';
import { signatureHeaderOf } from './signature-header.ts';
import type { Surroundings } from './surroundings.ts';
import { addressOf, text } from './values.ts';

export const SECRET_VARIABLE = 'EMAIL_PLATFORM_WEBHOOK_SECRET';

/** Number of bytes that are shown of a response. */
const SHOWN_BYTES = 2_048;

/** Adds the command. */
export function triggerCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('trigger [type]')
    .usage('<type>|--body <file> --to <address> [options]')
    .description(
      `Posts a signed event to your receiver of webhooks, in the service's format. The secret is ${SECRET_VARIABLE}; without it, a new secret is printed.`,
    );
  const to = command.takes('--to <address>', 'the receiver, such as localhost:3000/hooks', addressOf('--to'));
  const fields = command.takesMany(
    '--set <field=value>',
    'a field of the event, such as email=ann@example.org or custom_variables.order=7; a value that is JSON is read as JSON',
    fieldOf,
  );
  const file = command.takes(
    '--body <file>',
    'post this file unchanged, with a signature, instead of an event',
    text,
  );
  const repeats = command.allows('--repeat', 'post twice: the second time with the same event_id');
  const lists = command.allows('--list', 'list the types of events');
  const header = signatureHeaderOf(command, surroundings.env);
  const agreed = command.allows('--yes', 'do not ask before a post to another machine');
  const isJson = command.allows('--json', 'print each post as JSON on one line');
  command.examples({
    'email-platform trigger bounce --to localhost:3000/hooks': 'an event with example data',
    'email-platform trigger delivery --to localhost:3000/hooks --set custom_variables.order=7':
      'with your own data',
    'email-platform trigger --body event.json --to localhost:3000/hooks --repeat': 'your own body, twice',
  });
  command.action(async (type: string | undefined) => {
    const { out, env } = surroundings;
    if (lists()) {
      out(`${TRIGGER_TYPES.join('\n')}\n`);
      return;
    }
    const url = to() ?? command.error('needs --to <address>');
    const event = eventOf(command, type, file());
    if (typeof event !== 'string' && fields().length > 0) command.error('--set has no effect with --body');
    await agree(command, surroundings, url, agreed());
    const secret = env[SECRET_VARIABLE] ?? '';
    const options = optionsOf(url, secret, header(), Object.fromEntries(fields()));
    const print = isJson() ? JSON.stringify : lineOf;
    const first = await triggerEvent(event, options);
    if (secret === '' && !isJson()) out(`# ${SECRET_VARIABLE}=${first.secret}\n`);
    const named = { event: typeof event === 'string' ? event : String(file()) };
    const posts = [first];
    // The JSON has the new secret, so that the next post can use it.
    const made = secret === '' && isJson() ? { secret: first.secret } : {};
    out(`${print({ ...named, ...shownOf(first), ...made })}\n`);
    if (repeats()) {
      const again = { ...options, set: {}, secret: first.secret };
      const second = await triggerEvent({ body: first.body }, again);
      posts.push(second);
      out(`${print({ ...named, ...shownOf(second) })}\n`);
    }
    const refused = posts.find(({ status }) => status < 200 || status > 299);
    if (refused !== undefined)
      throw new Failure(`${url} responded with ${refused.status}${remedy(refused.status)}`);
  });
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

function eventOf(command: Command, type: string | undefined, file: string | undefined) {
  if ((type === undefined) === (file === undefined)) command.error('needs either a type or --body <file>');
  if (file === undefined) {
    if (type !== undefined && isTriggerType(type)) return type;
    return command.error(
      `unknown type '${type}'${didYouMean(String(type), TRIGGER_TYPES)} (--list shows all types)`,
    );
  }
  try {
    return { body: readFileSync(file, 'utf8') };
  } catch (error) {
    throw new Failure(`The file of --body cannot be read: ${messageOf(error)}`);
  }
}

const optionsOf = (
  to: string,
  secret: string,
  signatureHeader: string | undefined,
  set: Readonly<Record<string, unknown>>,
): TriggerOptions => ({
  to,
  set,
  ...(secret !== '' && { secret }),
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
  response: printable(response, SHOWN_BYTES),
});

const lineOf = ({ event, status, durationMs, response }: Shown & { readonly event: string }): string =>
  `${event} → ${status} in ${durationMs} ms${response === '' ? '' : `   ${response}`}`;

function remedy(status: number): string {
  if (status === 401 || status === 403)
    return `: check that the receiver verifies with the secret in ${SECRET_VARIABLE}`;
  if (status === 404 || status === 405) return ': check the path of --to';
  if (status >= 300 && status < 400) return ': the service follows no redirect, and counts it as a failure';
  return ': the service would post again';
}
