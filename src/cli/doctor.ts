/** `email-platform doctor`: checks whether email can be sent, and shows the obstacles. */
import { diagnose, type Diagnosis, type Finding } from '../diagnose/index.ts';
import { EmailPlatform } from '../index.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import { printable } from './printable.ts';
import type { Surroundings } from './surroundings.ts';
import { text } from './values.ts';

const SHOWN_BYTES = 400;
const WIDTH = 10;

/** Adds the command. */
export function doctorCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('doctor')
    .usage('[options]')
    .description(
      'Checks whether email can be sent: token, account, hosts, domains, limits, clock. It changes nothing, and prints no secret.',
    );
  const to = command.takes('--send <address>', 'send one test email to your address', text);
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples({
    'email-platform doctor': 'five requests, and no email',
    'email-platform doctor --send you@mail.example.com': 'and one test email',
  });
  command.action(async () => {
    const { out } = surroundings;
    const client = surroundings.client?.() ?? new EmailPlatform();
    const diagnosis = await diagnose(client);
    const address = to();
    out(isJson() ? `${JSON.stringify(diagnosis)}\n` : doctorText(diagnosis, address));
    if (!diagnosis.canSend) throw new Failure('No email can be sent: see the lines with ✗.');
    if (address !== undefined) out(await sent(client, diagnosis, address, isJson()));
  });
}

const MARKS: Readonly<Record<Finding['level'], string>> = { ok: ' ', warning: '!', failure: '✗' };

function doctorText({ findings, canSend, sender }: Diagnosis, address?: string): string {
  const lines = findings.flatMap(({ topic, level, text: message, remedy }) => [
    `${MARKS[level]} ${topic.padEnd(WIDTH)}${printable(message, SHOWN_BYTES)}`,
    ...(remedy === undefined ? [] : [`  ${''.padEnd(WIDTH)}→ ${printable(remedy, SHOWN_BYTES)}`]),
  ]);
  const next = `  ${'next'.padEnd(WIDTH)}npx email-platform doctor --send you@${printable(sender?.replace(/^.*@|>$/g, '') ?? 'example.com', SHOWN_BYTES)}   sends one test email`;
  return `${[...lines, ...(canSend && address === undefined ? [next] : [])].join('\n')}\n`;
}

async function sent(
  client: EmailPlatform,
  { sender: from }: Diagnosis,
  to: string,
  isJson: boolean,
): Promise<string> {
  if (from === undefined) throw new Failure('There is no sender: set EMAIL_PLATFORM_FROM.');
  const mail = { to, from, subject: 'A test email of email-platform doctor', text: 'Email can be sent.' };
  const { message_ids: ids } = await client.sending.send(mail);
  return isJson
    ? `${JSON.stringify({ message_ids: ids })}\n`
    : `  ${'sent'.padEnd(WIDTH)}${ids.map((id) => printable(id, SHOWN_BYTES)).join(', ')}\n  ${''.padEnd(WIDTH)}→ did it not arrive? npx email-platform why <address> --from ${printable(from, SHOWN_BYTES)}\n`;
}
