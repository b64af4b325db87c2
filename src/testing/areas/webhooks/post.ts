import type { Step } from '../email-logs/course.ts';
import type { LogRecord } from '../email-logs/record.ts';

/** A post that the emulator made. */
export interface EmulatorWebhookPost {
  /** Its number: 1 for the first post of the emulator. */
  readonly id: number;
  /** Id of the webhook. */
  readonly webhookId: number;
  /** The address that it was posted to. */
  readonly url: string;
  /** When it was due, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** 1 for the first attempt, 2 for the first repetition, and so on. */
  readonly attempt: number;
  /** Its headers; among them that with the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its body: the same in every attempt. */
  readonly body: string;
  /** The status of the response; `null` until there is one, and if there is none. */
  readonly status: number | null;
}

/** An event that is to be posted: one of a message in the log, or one of its own. */
export type Pending = {
  readonly at: number;
  /** What a webhook has to be subscribed to; `null` if it need not be. */
  readonly name: string | null;
} & (
  { readonly record: LogRecord; readonly step: Step } | { readonly event: Readonly<Record<string, unknown>> }
);
