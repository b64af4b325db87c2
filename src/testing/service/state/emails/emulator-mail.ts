import type { EmulatorMessage } from './outbox.ts';

/** The filter of a mailbox for new emails. */
export interface AfterNumber {
  /** Only emails with a higher number match. */
  readonly after: number;
  /** The address of the recipient. */
  readonly to?: string | undefined;
}

/** The key of an emulator's function for mailboxes. A registered symbol, so that several copies of the package share it. */
export const EMULATOR_MAIL = Symbol.for('email-platform.emulator-mail');

export interface NextEmails {
  /** Resolves with the matching emails, oldest first, as soon as there is one; with an empty array after an abort. */
  (wanted: AfterNumber, signal: AbortSignal): Promise<readonly EmulatorMessage[]>;
  /** The domains of mailboxes. Another copy of the package may lack them. */
  readonly domains?: Set<string>;
}

/** The function of an emulator for mailboxes; `undefined` if the argument is not an emulator. */
export const nextEmailsOf = (emulator: unknown): NextEmails | undefined =>
  (Object(emulator) as { readonly [EMULATOR_MAIL]?: NextEmails })[EMULATOR_MAIL];
