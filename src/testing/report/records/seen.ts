import type { EmulatorWebhookPost } from '../../service/state/posts/posts.ts';
import type { LogRecord } from '../../service/state/emails/email-log.ts';
import type { Copy } from '../../service/state/emails/outbox.ts';
import type { Kind } from './kind-of.ts';
import type { ReaderLinks } from '../../service/state/emails/reader-links.ts';
import type { EmulatorRequest } from '../../service/engine/request-log.ts';

/** The period between two resets. */
export interface Era {
  readonly number: number;
  /** The time of its end on the emulator's clock; `undefined` before the end. */
  endedAt: number | undefined;
}

/** An email as the recorder keeps it. */
export interface SeenMail {
  readonly copy: Copy;
  readonly number: number;
  /** Its kind. Finding it takes time, so this is done at the first call. */
  readonly kind: () => Kind;
  /** In milliseconds of real time. */
  readonly at: number;
  readonly era: Era;
  /** Its entry in the email log; `undefined` for one in a test inbox. */
  readonly record: LogRecord | undefined;
  readonly links: ReaderLinks;
  /** The request that sent it. */
  readonly request: SeenRequest | undefined;
  /** The name of the test that sent it. */
  readonly mark: string | undefined;
  /** The recorder's version of its last change. */
  version: number;
}

/** The headers and bodies of a request and its response, without secrets. */
export interface SeenDetails {
  /** The JSON of an object: the object itself takes several times the memory. */
  readonly headers: string;
  readonly body: string | null;
  readonly bodyCut: boolean;
  readonly responseHeaders: readonly (readonly [string, string])[];
  responseBody: string | null;
  responseCut: boolean;
}

/** A request as the recorder keeps it. */
export interface SeenRequest {
  readonly id: number;
  readonly entry: EmulatorRequest;
  /** Its address, without the query. */
  readonly url: string;
  readonly at: number;
  durationMs: number | null;
  pool: string | null;
  /** Why it was refused, if the response does not say so. */
  cause: string | undefined;
  details: SeenDetails | undefined;
  /** The name of the test that made it. */
  readonly mark: string | undefined;
  /** The bytes charged for it. */
  bytes: number;
  version: number;
}

/** A post to a webhook's receiver as the recorder keeps it. */
export interface SeenPost {
  readonly post: EmulatorWebhookPost;
  readonly id: number;
  readonly at: number;
  readonly type: string;
  readonly era: Era;
  durationMs: number | null;
  /** The planned time of the next attempt on the emulator's clock. */
  nextAt: number | undefined;
  version: number;
}

/** The use of a pool of the rate limits. */
export interface SeenLimit {
  requests: number;
  perMs: number;
  mostUsed: number;
  refused: number;
}
