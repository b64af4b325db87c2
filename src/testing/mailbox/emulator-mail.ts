import type { EmulatorMessage } from '../areas/sending/outbox.ts';

/** Which emails a mailbox asks for. */
export interface AfterNumber {
  /** Those with a higher number. */
  readonly after: number;
  /** Those to this address. */
  readonly to?: string | undefined;
}

/** Where an emulator, in the process or in another, has what a mailbox uses: registered, as copies of the package may meet. */
export const EMULATOR_MAIL = Symbol.for('email-platform.emulator-mail');

/** Resolves with the emails asked for, oldest first, as soon as there is one; with none once the signal is aborted. */
export type NextEmails = (wanted: AfterNumber, signal: AbortSignal) => Promise<readonly EmulatorMessage[]>;

/** What a mailbox uses of an emulator; `undefined` if it is none. */
export const nextEmailsOf = (emulator: unknown): NextEmails | undefined =>
  (Object(emulator) as { readonly [EMULATOR_MAIL]?: NextEmails })[EMULATOR_MAIL];
