/**
 * Posts a signed event to a receiver of webhooks, without an emulator. It may import `service/state/emails` for the
 * names of events; it knows no emulator.
 */
import { monotonicMs } from '../../kit/monotonic.ts';
import { check, callable, objectOf, plainObject, text, textLike, whole, type Kind } from '../declare/kind.ts';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { hmac } from '../encoding/hashes.ts';
import { signingSecret } from '../encoding/random-secret.ts';
import { isHeaderName } from '../common/cors.ts';
import { isTriggerType, sampleEvent, TRIGGER_TYPES, type TriggerType } from './sample-events.ts';
import { unknownField, withFields } from './set-fields.ts';

/** The options of {@link triggerEvent}. */
export interface TriggerOptions {
  /** The receiver's address. */
  to: string | URL;
  /**
   * The secret that signs the post: the `signing_secret` that the receiver verifies with.
   * @defaultValue a new random one, which the result contains
   */
  secret?: string;
  /**
   * Name of the header with the signature.
   * @defaultValue 'x-webhook-signature'
   */
  signatureHeader?: string;
  /** Your own values for fields of the event, such as `{ email: 'ann@example.org', 'custom_variables.order': 7 }`. */
  set?: Readonly<Record<string, unknown>>;
  /**
   * How long the receiver may take, in milliseconds. The service waits 30 seconds.
   * @defaultValue 30_000
   */
  timeoutMs?: number;
  /**
   * Makes the request.
   * @defaultValue the `fetch` of the runtime
   */
  fetch?: typeof fetch;
}

/** A post of {@link triggerEvent}, and what the receiver responded. */
export interface TriggeredPost {
  /** The receiver's address. */
  readonly url: string;
  /** The body. Pass it to {@link triggerEvent} as `{ body }` to post the same events again. */
  readonly body: string;
  /** The request headers, with the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret of the signature. */
  readonly secret: string;
  /** The status of the response. The service takes 200 as success, and repeats the post after any other status. */
  readonly status: number;
  /** The text of the response. */
  readonly response: string;
  /** How long the receiver took, in milliseconds. */
  readonly durationMs: number;
}

const webUrl: Kind = {
  what: 'a URL that begins with http: or https:',
  hasType: (value) => typeof value === 'string' || value instanceof URL,
  isAllowed: (value) => URL.canParse(String(value)) && /^https?:$/.test(new URL(String(value)).protocol),
};

const triggerOptions = objectOf<TriggerOptions>(
  {
    to: webUrl,
    secret: { ...textLike('text that is not empty', (secret) => secret !== ''), isSecret: true },
    signatureHeader: textLike('the name of a header', isHeaderName),
    set: plainObject,
    timeoutMs: whole(1, 3_600_000),
    fetch: callable,
  },
  ['to'],
);

const bodyKind = objectOf<{ body: string }>({ body: text }, ['body']);

function bodyOf(event: unknown, set: Readonly<Record<string, unknown>>): string {
  if (typeof event !== 'string') {
    const { body } = check(bodyKind, event as { readonly body: string }, 'event');
    if (Object.keys(set).length > 0)
      throw new TypeError('options.set has no effect on a body of your own: change the body');
    return body;
  }
  if (!isTriggerType(event))
    throw new RangeError(
      `event must be one of ${TRIGGER_TYPES.join(', ')}, or another type of the audit log, not "${event}"${didYouMean(event, TRIGGER_TYPES)}`,
    );
  const sample = sampleEvent(event, Date.now(), () => crypto.randomUUID());
  const changed = withFields(sample, set);
  const [problem] = Object.keys(set).flatMap((path) => unknownField(event, path) ?? []);
  if (problem !== undefined) throw new RangeError(`options.set: ${problem}`);
  return JSON.stringify({ events: [changed] });
}

/** The error for a receiver that does not respond: the problem, and its usual solution. */
function failure(url: string, timeoutMs: number, cause: unknown): Error {
  const { name, cause: inner } = Object(cause) as { readonly name?: unknown; readonly cause?: unknown };
  const { code, message } = Object(inner ?? cause) as { readonly code?: unknown; readonly message?: unknown };
  if (name === 'TimeoutError')
    return new Error(`${url} did not respond within ${timeoutMs} ms: respond first, and work afterwards`, {
      cause,
    });
  if (code === 'ECONNREFUSED')
    return new Error(`${url} refused the connection: is the receiver running, at this port?`, { cause });
  return new Error(`${url} did not respond: ${String(message ?? cause)}`, { cause });
}

/**
 * Posts an event with example data to your receiver of webhooks, signed like a post of the service,
 * in a header of your choice. The receiver needs no
 * public address, and the call needs no emulator.
 *
 * @param event - The type of the event; or `{ body }`, your own body, which is signed unchanged.
 * @returns the post, with the response. A redirect is a response too: the call does not follow it.
 * @throws `TypeError` or `RangeError` for wrong arguments; `Error` when the receiver does not respond
 * @example
 * ```ts
 * const { status } = await triggerEvent('bounce', { to: 'http://localhost:3000/hooks', secret, set: { email: 'ann@example.org' } });
 * ```
 */
export async function triggerEvent(
  event: TriggerType | { readonly body: string },
  options: TriggerOptions,
): Promise<TriggeredPost> {
  const given = check(triggerOptions, options, 'options');
  const { signatureHeader = 'x-webhook-signature', set = {}, timeoutMs = 30_000 } = given;
  const { secret = signingSecret(), fetch: send = globalThis.fetch } = given;
  const body = bodyOf(event, set);
  const url = String(new URL(given.to));
  const headers = { 'content-type': 'application/json', [signatureHeader]: hmac(secret, body) };
  const startedAt = monotonicMs();
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await send(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const received = await response.text();
    const durationMs = Math.round(monotonicMs() - startedAt);
    return { url, body, headers, secret, status: response.status, response: received, durationMs };
  } catch (error) {
    throw failure(url, timeoutMs, error);
  }
}
