/** `email-platform doctor`: checks whether email can be sent, and shows the obstacles. */
import { jsonText } from './json-text.ts';
import { diagnose, type Diagnosis, type Finding } from '../entries/diagnose/index.ts';
import { AuthenticationError, PermissionDeniedError, type EmailPlatform } from '../index.ts';
import { clientOf } from './client.ts';
import type { Command } from './command.ts';
import { Failure, messageOf } from './failure.ts';
import { foreignRemedy } from './remedies.ts';
import { shortLine } from './short-line.ts';
import type { Surroundings } from './surroundings.ts';
import { text } from './values.ts';

/** A DNS record may have a key of 400 characters. */
const SHOWN_BYTES = 1_000;
const WIDTH = 10;

/** Adds the command. */
export function doctorCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('doctor')
    .usage('[options]')
    .description(
      'Checks whether customers get email: token, hosts, stream, recipients, sender, domains, plan, limits, clock. It changes nothing, and prints no secret.',
    );
  const to = command.takes('--send <address>', 'send one test email to your address', text);
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples({
    'email-platform doctor': 'six or seven requests, and no email',
    'email-platform doctor --send you@mail.example.com': 'and one test email',
  });
  command.action(async () => {
    const { out } = surroundings;
    const client = clientOf(surroundings);
    const diagnosis = await diagnose(client);
    const address = to();
    const files = filesOf(program);
    out(isJson() ? jsonText(diagnosis) : doctorText(diagnosis, files, address));
    if (diagnosis.retryAfterMs !== undefined)
      throw new Failure('Not checked: the rate limit is used up. See the lines with ✗.');
    if (!diagnosis.canSend) {
      const failures = diagnosis.findings.filter(({ level }) => level === 'failure');
      const from = failures.every(({ topic }) => topic === 'sender') ? ' from the default sender' : '';
      throw new Failure(`No email${from} can be sent: see the lines with ✗.`);
    }
    if (address !== undefined) out(await sent(client, diagnosis, files, address, isJson()));
  });
}

/** The options `--env-file` of this command, for the next one. */
const filesOf = (program: Command): string =>
  (program.opts<{ readonly envFile?: readonly string[] }>().envFile ?? [])
    .map((file) => ` --env-file ${/^[\w./-]+$/.test(file) ? file : JSON.stringify(file)}`)
    .join('');

const MARKS: Readonly<Record<Finding['level'], string>> = { ok: ' ', warning: '!', failure: '✗' };

const line = (mark: string, topic: string, message: string) =>
  `${mark} ${topic.padEnd(WIDTH)}${shortLine(message, SHOWN_BYTES)}`;

function doctorText(diagnosis: Diagnosis, files: string, address?: string): string {
  const lines = diagnosis.findings.flatMap(({ topic, level, text: message, remedy, details = [] }) => [
    line(MARKS[level], topic, message),
    ...(remedy === undefined ? [] : [line(' ', '', `→ ${remedy}`)]),
    ...details.map((detail) => line(' ', '', detail)),
  ]);
  return `${[...lines, ...lastLines(diagnosis, files, address)].join('\n')}\n`;
}

/** The verdict, and the next step; none after a failure, which has its own. */
function lastLines(
  { canSend, reachesCustomers, sender }: Diagnosis,
  files: string,
  address?: string,
): string[] {
  if (!canSend) return [];
  const withheld = line('!', 'verdict', 'customers get no email with these settings: see the lines with !');
  const domain = sender?.replace(/^.*@/, '') ?? 'example.com';
  const next = `${line(' ', 'next', `npx email-platform doctor${files} --send you@${domain}`)}   sends one test email: the proof that the token may send`;
  return [...(reachesCustomers ? [] : [withheld]), ...(address === undefined ? [next] : [])];
}

/** Sends the test email. Returns the lines about it. */
async function sent(
  client: EmailPlatform,
  { sender: from, reachesCustomers }: Diagnosis,
  files: string,
  to: string,
  isJson: boolean,
): Promise<string> {
  if (from === undefined) throw new Failure('There is no sender: set EMAIL_PLATFORM_FROM.');
  const mail = { to, from, subject: 'A test email of email-platform doctor', text: 'Email can be sent.' };
  const { message_ids: ids } = await client.sending.send(mail).catch((error: unknown) => {
    throw new Failure(`✗ The test email was refused: ${messageOf(error)}${refusalRemedy(error, from)}`);
  });
  if (isJson) return jsonText({ message_ids: ids });
  const remark = reachesCustomers
    ? `→ did it not arrive? npx email-platform why${files} ${to} --from ${from}`
    : `→ this proves nothing yet: customers get no email with these settings`;
  return `${line(' ', 'sent', ids.join(', '))}\n${line(' ', '', remark)}\n`;
}

/** The usual cause of a refused test email. */
function refusalRemedy(error: unknown, from: string): string {
  const foreign = foreignRemedy(error);
  if (foreign !== undefined) return `\n→ ${foreign}`;
  if (error instanceof PermissionDeniedError)
    return `\n→ give the token the right to send from the domain of ${shortLine(from, SHOWN_BYTES)}, or use another token (EMAIL_PLATFORM_TOKEN)`;
  if (error instanceof AuthenticationError)
    return `\n→ check that the domain of ${shortLine(from, SHOWN_BYTES)} is verified, and that the token has access to it`;
  return '';
}
