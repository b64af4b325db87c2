/** `email-platform why`: shows why an address gets no email, and deletes a suppression. */
import { printable } from '../core/error-text.ts';
import { jsonText } from './json-text.ts';
import { whyNoMail, type WhyNoMail } from '../entries/diagnose/index.ts';
import type { EmailPlatform } from '../index.ts';
import { clientOf } from './client.ts';
import { isYes, type Surroundings } from './surroundings.ts';
import { InvalidValue, type Command } from './command.ts';
import { Failure } from './failure.ts';
import { withRemedy } from './remedies.ts';
import { oneOf, text } from './values.ts';
import { whyText } from './why-text.ts';

/** Types that record no wish of the recipient: the sender may decide to delete these suppressions. */
const LIFTABLE: readonly string[] = ['hard bounce', 'manual import'];

/** The parts that are always read. */
const PARTS: WhyNoMail['unreadable'] = [
  'suppressions',
  'trackingOptOuts',
  'sendingDomains',
  'emailLogs',
  'contacts',
];

/** Adds the command. */
export function whyCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('why <address>')
    .description(
      'Shows why an address gets no email: suppressions, the sending domain, the log, the contact.',
    );
  const days = command.takes('--days <number>', 'the number of days of the log to read', dayCount, 30);
  const from = command.takes(
    '--from <address>',
    'the sender, or its domain (default: EMAIL_PLATFORM_FROM, and every other sender that is found)',
    text,
  );
  const stream = command.takes(
    '--stream <name>',
    'transactional or bulk (default: EMAIL_PLATFORM_STREAM, or transactional)',
    oneOf('--stream', ['transactional', 'bulk']),
  );
  const lifted = command.takes(
    '--lift [id]',
    'delete the hard bounces and manual entries that block; with an id, that suppression, whatever its type',
    text,
  );
  const isAgreed = command.allows('--yes', 'do not ask before a suppression is deleted');
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples({
    'email-platform why ann@example.org': 'what is on record',
    'email-platform why ann@example.org --stream bulk --days 90': 'for another stream, and longer',
    'email-platform why ann@example.org --lift': 'allow email again after a hard bounce',
  });
  command.action(async (address: string) => {
    const { out, ask } = surroundings;
    const lift = lifted() as string | true | undefined;
    if (lift !== undefined && !isAgreed() && !ask) command.error('needs --yes without a terminal');
    const client = clientOf(surroundings);
    const options = { days: days(), from: from(), stream: stream() };
    const look = () =>
      whyNoMail(client, address, options).catch((error: unknown) => {
        throw withRemedy(error);
      });
    const print = (result: WhyNoMail) => out(isJson() ? jsonText(result) : whyText(result, days()));
    const before = await look();
    if (lift === undefined) {
      print(before);
      if (PARTS.every((part) => before.unreadable.includes(part)))
        throw new Failure(
          'Nothing was read: the token may read no part of the account. Set EMAIL_PLATFORM_TOKEN to one that may.',
        );
      return;
    }
    const chosen = chosenOf(before, lift);
    if (!isAgreed()) await agree(surroundings, address, chosen);
    for (const { id } of chosen) await client.suppressions.delete(id);
    // Reads the address again, so that the output shows the current records.
    print(await look());
  });
}

function dayCount(input: string): number {
  const count = Number(input);
  if (/^\d+$/.test(input) && count >= 1 && count <= 365) return count;
  throw new InvalidValue(`--days must be a number from 1 to 365, not "${input}"`);
}

/** The suppressions to delete. */
function chosenOf(
  { reasons, email, domain, stream }: WhyNoMail,
  lift: string | true,
): readonly EmailPlatform.Suppression[] {
  const all = reasons.flatMap((reason) => (reason.kind === 'suppression' ? [reason] : []));
  if (lift !== true) {
    const named = all.filter(({ suppression }) => suppression.id === lift);
    if (named.length === 0) throw new Failure(`${email} has no suppression ${lift}. Nothing was changed.`);
    return named.map(({ suppression }) => suppression);
  }
  const blocking = all.flatMap(({ blocks, suppression }) => (blocks ? [suppression] : []));
  const chosen = blocking.filter(({ type }) => LIFTABLE.includes(type));
  if (chosen.length > 0) return chosen;
  const [kept] = blocking;
  throw new Failure(
    kept
      ? `Nothing was changed: ${email} asked for no more email (${printable(kept.type)}). To delete this suppression all the same: --lift ${printable(kept.id)}`
      : `Nothing was changed: no suppression blocks email to ${email} from ${printable(domain)} (${stream}).`,
  );
}

async function agree(
  { ask }: Surroundings,
  address: string,
  suppressions: readonly EmailPlatform.Suppression[],
): Promise<void> {
  const lines = suppressions.map(({ id, type }) => `  ${printable(`${type} (${id})`)}\n`).join('');
  if (!ask || !(await isYes(ask, `Email goes out to ${address} again without:\n${lines}Delete?`)))
    throw new Failure('Nothing was changed.');
}
