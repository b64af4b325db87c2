/** nodemailer's transporter, which sets itself as the transport's `mailer` when it is created. */
import { ConfigurationError, InvalidRequestError } from '../../core/errors.ts';
import { nodemailerError } from './errors.ts';
import { ACCESS_OPTIONS, accessRefusals, type Access } from './refusals.ts';
import type { Mail } from './types.ts';

type Plugin<Parts> = (mail: Parts, done: (error?: Error | null) => void) => void;

/** The part of nodemailer's transporter that this package uses. */
export interface Mailer {
  readonly options: Record<string, unknown>;
  getVersionString?(): string;
  use(step: 'compile', plugin: Plugin<Pick<Mail, 'data'>>): unknown;
  use(step: 'stream', plugin: Plugin<Mail>): unknown;
  listenerCount(event: 'idle'): number;
  on?(event: 'newListener' | 'removeListener', listener: (event: string | symbol) => void): unknown;
  /** The plugins, by step. */
  readonly _userPlugins?: { readonly stream?: readonly unknown[] };
}

/** Whether a transporter has plugins that may change the written form of a message. */
export const hasPlugins = ({ _userPlugins: plugins }: Pick<Mailer, '_userPlugins'>): boolean =>
  (plugins?.stream?.length ?? 0) > 0;

/** Calls `start` when an application begins to listen, and the function that it returned when nobody listens any more. */
export function whileListenedTo(mailer: Mailer, event: 'idle', start: () => () => void): void {
  let stop: (() => void) | undefined;
  mailer.on?.('newListener', (name) => {
    if (name === event) stop ??= start();
  });
  mailer.on?.('removeListener', (name) => {
    if (name !== event || mailer.listenerCount(event) > 0) return;
    stop?.();
    stop = undefined;
  });
}

/** The first version whose own plugins apply the transporter's options to every message. */
const RESPECTS_OPTIONS = [8, 0, 9] as const;

/** True if nodemailer is of that version or later. Assumes an older version if it states none. */
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
 * Applies the transport's access options to nodemailer and to plugins too, because they read files and addresses
 * before the transport gets the message. nodemailer's own plugin uses nodemailer's options; plugins of the
 * application run after the plugin that is added here.
 */
export function switchOff(mailer: Mailer, access: Access): void {
  const names = ACCESS_OPTIONS.filter((name) => access[name] === true);
  const [option] = names;
  if (option === undefined) return;
  if (!respectsOptions(mailer)) {
    const message = `${option} needs nodemailer ${RESPECTS_OPTIONS.join('.')} or later: an earlier version ignores it`;
    throw new ConfigurationError(message, { option });
  }
  for (const name of names) mailer.options[name] = true;
  mailer.use('compile', ({ data }, done) => {
    const refusals = accessRefusals(data, access);
    if (refusals.length === 0) done();
    else done(nodemailerError(new InvalidRequestError(refusals, { operation: 'sendMail' })));
  });
}
