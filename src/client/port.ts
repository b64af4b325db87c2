import type { Execute, HostName, SentWhile, Stream } from '../core/request.ts';
import type { Runtime } from '../core/runtime.ts';
import type { SendOptions, SendParams, SendResult } from '../resources/sending/types.ts';

/** Increased when {@link ClientPort} changes: two versions of the package may meet in one program. */
export const PORT_VERSION = 8;

/**
 * The parts of a client that the package's other entries use. Those import everything else themselves, so that a
 * program without them does not load it.
 */
export interface ClientPort {
  readonly version: number;
  readonly execute: Execute;
  /** Sends one email while it is wanted. */
  readonly send: (params: SendParams, options: SendOptions, sentWhile: SentWhile) => Promise<SendResult>;
  readonly accountId: number | undefined;
  readonly runtime: Runtime;
  /** The default sender of emails; undefined if each email has to name one. */
  readonly sender: string | undefined;
  /** The default stream of emails. */
  readonly stream: Stream;
  /** The inbox that captures emails on the stream `sandbox`. */
  readonly sandboxInboxId: number | undefined;
  /** The likely mistake in the client's token, for the message of a 401. */
  readonly tokenAdvice: string | undefined;
  /** Whether the client's token is an emulator's: no email that it sends reaches a customer. */
  readonly hasEmulatorToken: boolean;
  /** The base addresses of the service. */
  readonly hosts: Readonly<Partial<Record<HostName, string>>>;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Milliseconds for a whole call; undefined without a limit. */
  readonly deadlineMs: number | undefined;
  /** The recipients of an email after the client's guard, as JSON of its fields. */
  readonly recipientsSent: (fields: string, stream: Stream | undefined) => string;
}

/** The property of a client that holds its port: a registered symbol, because the entries share no code. */
export const PORT = Symbol.for('email-platform.port');

/** The port of a client; undefined for another value, and for a client whose port has another version. */
export function portOf(client: unknown): ClientPort | undefined {
  const { [PORT]: port } = Object(client) as { readonly [PORT]?: ClientPort };
  return port?.version === PORT_VERSION ? port : undefined;
}
