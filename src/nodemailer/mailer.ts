/** nodemailer's side of a transporter: it puts itself into the transport when the transporter is made. */
import { ConfigurationError, InvalidRequestError } from '../core/errors.ts';
import { nodemailerError } from './errors.ts';
import { ACCESS_OPTIONS, accessRefusals, type Access } from './refusals.ts';
import type { Mail } from './types.ts';

type Plugin<Parts> = (mail: Parts, done: (error?: Error | null) => void) => void;

/** The parts of nodemailer's transporter that are used here. */
export interface Mailer {
  readonly options: Record<string, unknown>;
  getVersionString?(): string;
  use(step: 'compile', plugin: Plugin<Pick<Mail, 'data'>>): unknown;
  use(step: 'stream', plugin: Plugin<Mail>): unknown;
  listenerCount(event: 'idle'): number;
}

/** The first version whose own plugins respect the options, whatever a message says. */
const RESPECTS_OPTIONS = [8, 0, 9] as const;

/** Whether nodemailer is of that version or later. What does not say its version may be older. */
function respectsOptions(mailer: Mailer): boolean {
  const version = /\((\d+)\.(\d+)\.(\d+)/.exec(mailer.getVersionString?.() ?? '');
  if (!version) return false;
  const parts = version.slice(1).map(Number);
  const difference = RESPECTS_OPTIONS.map((part, index) => (parts[index] ?? 0) - part).find(
    (one) => one !== 0,
  );
  return (difference ?? 0) >= 0;
}

/**
 * Switches off for nodemailer, and for plugins, what is switched off for the transport: they read before it has the message.
 * nodemailer's own plugin goes by nodemailer's options; those of the application come after the one that is added here.
 */
export function switchOff(mailer: Mailer, access: Access): void {
  const names = ACCESS_OPTIONS.filter((name) => access[name] === true);
  const [option] = names;
  if (option === undefined) return;
  if (!respectsOptions(mailer)) {
    const message = `${option} needs nodemailer ${RESPECTS_OPTIONS.join('.')} or later: an earlier one reads without asking`;
    throw new ConfigurationError(message, { option });
  }
  for (const name of names) mailer.options[name] = true;
  mailer.use('compile', ({ data }, done) => {
    const refusals = accessRefusals(data, access);
    if (refusals.length === 0) done();
    else done(nodemailerError(new InvalidRequestError(refusals, { operation: 'sendMail' })));
  });
}
