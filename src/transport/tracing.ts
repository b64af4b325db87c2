/** Traces of calls and attempts for the subscribers of the channels, with the facts of the hooks' events. */
import { EmailPlatformError } from '../core/error-base.ts';
import { pathTemplate } from '../core/path.ts';
import { ownHeaders } from '../core/request-options.ts';
import type { HostName, HttpMethod } from '../core/request.ts';
import { stopwatch } from '../core/steady-time.ts';
import { urlOf } from '../core/host-name.ts';
import type { Attempt } from './attempt.ts';
import type { Call } from './call.ts';
import { methodCalled, summaryOfError, type ErrorSummary } from './call-summary.ts';
import { isHeard, Trace } from './channels.ts';
import type { Outcome } from './response.ts';

/** The server that receives the requests. */
export interface TracedServer {
  /** Its host name or IP address. */
  readonly address: string;
  /** Its port. */
  readonly port: number;
}

/** The fields that the messages of both channels have from the start. */
export interface Traced {
  /** The same for a call and its attempts, and in the events of hooks. */
  readonly callId: string;
  /** The method called, for instance `campaigns.create`; `request` for `client.request`. */
  readonly operation: string;
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** The service's host. */
  readonly host: HostName;
  /** The declared path, with names in place of ids: `/api/email_campaigns/{id}`. Undefined if none is declared. */
  readonly template: string | undefined;
  /** The server. Undefined if the client has no address for it. */
  readonly server: TracedServer | undefined;
  /** The call's option `meta`; undefined if it has none. */
  readonly meta: unknown;
  /**
   * At `start`, wraps the traced function: `wrap((inside) => context.with(active, inside))` runs it within a tracer's
   * context. A store that is bound to the channel needs no `wrap`.
   */
  readonly wrap: (wrapper: (inside: () => void) => void) => void;
}

/**
 * The message of `tracingChannel('email-platform:call')`: one object for all phases of a call. The last fields are there
 * from `error` or `asyncStart` on. It contains no id, no address of a person, no token, no header and no body.
 */
export interface CallTrace extends Traced {
  /** The HTTP status of the last request; undefined if it had no response. */
  readonly status?: number | undefined;
  /** Number of requests sent. */
  readonly attempts?: number;
  /** Milliseconds in the rate limit's queue, over all attempts. */
  readonly queuedMs?: number;
  /** Milliseconds from the call to its end, including waits. */
  readonly durationMs?: number;
  /** The error of the call; absent if it succeeded. */
  readonly error?: ErrorSummary;
}

/**
 * The message of `tracingChannel('email-platform:attempt')`: one object for all phases of one request and its response.
 * The last fields are there from `error` or `asyncStart` on.
 */
export interface AttemptTrace extends Traced {
  /** 1 for the first attempt, 2 for the first retry, and so on. */
  readonly attempt: number;
  /**
   * Empty at `start`. A listener may add headers then, such as `traceparent`, and the request carries them. The headers
   * of the client and of the call replace them. A request to a signed address carries none of them.
   */
  readonly headers: Record<string, string>;
  /** The HTTP status; undefined if there was no response. */
  readonly status?: number | undefined;
  /** Milliseconds from sending the request to the end of its response, which is read and checked by then. */
  readonly durationMs?: number;
  /** The error of the attempt; absent if it succeeded. */
  readonly error?: ErrorSummary;
}

function serverOf(address: string, base?: string): TracedServer | undefined {
  const url = urlOf(address, base);
  const usual = url?.protocol === 'https:' ? 443 : 80;
  return url && { address: url.hostname, port: url.port === '' ? usual : Number(url.port) };
}

function tracedOf(call: Call, server: TracedServer | undefined): Omit<Traced, 'wrap'> {
  const event = call.event();
  const { callId, method, host, path, meta } = event;
  const template = call.template === undefined ? undefined : pathTemplate(call.template, path);
  return { callId, operation: methodCalled(event), method, host, template, server, meta };
}

const failure = (error: EmailPlatformError | undefined) => error && { error: summaryOfError(error) };

/** Starts a call, within its trace if the channel has subscribers. */
export function traceCall(call: Call, signedUrl: string | undefined, start: () => void): void {
  const { tracing, hosts } = call.config;
  if (!tracing || !isHeard(tracing.call)) {
    start();
    return;
  }
  const base = hosts[call.event().host];
  const server = serverOf(signedUrl ?? '', base);
  const trace = new Trace<CallTrace>(tracing.call, tracedOf(call, server));
  call.whenEnded(({ attempts, durationMs, error }) => {
    const { status, queuedMs } = call;
    trace.end({ status, attempts, queuedMs: Math.round(queuedMs), durationMs, ...failure(error) });
  });
  trace.run(start);
}

/** Sends an attempt, within its trace if the channel has subscribers. */
export function traceAttempt(attempt: Attempt, send: () => Promise<Outcome>): Promise<Outcome> {
  const { call, request, number } = attempt;
  const { tracing, runtime } = call.config;
  if (!tracing || !isHeard(tracing.attempt)) return send();
  const headers = {};
  const facts = { ...tracedOf(call, serverOf(request.address)), attempt: number, headers };
  const trace = new Trace<AttemptTrace>(tracing.attempt, facts);
  const elapsedMs = stopwatch(runtime);
  const end = (error?: EmailPlatformError) => {
    trace.end({ status: call.status, durationMs: Math.round(elapsedMs()), ...failure(error) });
  };
  return trace.run(async () => {
    attempt.traced(ownHeaders(headers));
    try {
      const outcome = await send();
      end();
      return outcome;
    } catch (error) {
      end(error instanceof EmailPlatformError ? error : undefined);
      throw error;
    }
  });
}
