import { context, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { ConfigurationError } from '../../core/errors.ts';
import { builtinModule } from '../../core/platform.ts';
import { refuse } from '../../core/rules.ts';
import { tried } from '../../core/tried.ts';
import type { AttemptTrace, CallTrace } from '../../transport/tracing.ts';
import { VERSION } from '../../version.ts';
import {
  callAttributes,
  callName,
  callResult,
  isSend,
  requestAttributes,
  requestName,
  requestResult,
  type Attributes,
} from './attributes.ts';
import { Metrics } from './metrics.ts';
import { optionsRule, type InstrumentOptions } from './options.ts';

type Listener = (message: unknown) => void;

/** The part of `node:diagnostics_channel` that is used here. */
interface DiagnosticsChannel {
  readonly subscribe: (channel: string, listener: Listener) => void;
  readonly unsubscribe: (channel: string, listener: Listener) => void;
}

/** The open spans, by the message of their call or attempt. */
class Spans {
  readonly #tracer: Tracer | undefined;
  readonly #open = new Map<CallTrace | AttemptTrace, Span>();

  constructor(tracer: Tracer | undefined) {
    this.#tracer = tracer;
  }

  /** Starts a span as a child of the active one, and runs the call or attempt within it. */
  start(message: CallTrace | AttemptTrace, name: string, kind: SpanKind, attributes: Attributes): void {
    const active = context.active();
    // Looked up each time: the SDK may be registered later, and through another copy of the API.
    const tracer = this.#tracer ?? trace.getTracer('email-platform', VERSION);
    const span = tracer.startSpan(name, { kind, attributes }, active);
    this.#open.set(message, span);
    message.wrap((inside) => {
      context.with(trace.setSpan(active, span), inside);
    });
  }

  end(message: CallTrace | AttemptTrace, attributes: Attributes): void {
    const span = this.#open.get(message);
    this.#open.delete(message);
    span?.setAttributes(attributes);
    // No message: the attributes name the failure, and a text could quote an address.
    if (message.error) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }

  /** Ends the open spans, so that they are exported with the rest. */
  endAll(): void {
    for (const span of this.#open.values()) span.end();
    this.#open.clear();
  }
}

/**
 * Records spans and metrics of the calls of every client in this process, from now on. Call it once, before or after
 * the SDK of OpenTelemetry is registered. A call's span is a child of the active span, and is active while the call
 * runs; so the request spans of another instrumentation are its children. The spans and metrics contain no address, id,
 * token or header, and no text of an email. Requests get no additional header.
 *
 * @returns A function that switches it off, and ends the spans of calls that still run.
 * @throws ConfigurationError If an option is wrong, or the runtime has no `node:diagnostics_channel`: a browser, or Workers
 * without `nodejs_compat`.
 */
export function instrument(options: InstrumentOptions = {}): () => void {
  refuse('', optionsRule(options));
  const { tracer, meter, http = true } = options;
  const channels = diagnosticsChannel();
  const spans = new Spans(tracer);
  const metrics = new Metrics(meter, http);

  const listeners: Record<string, Listener> = {
    'call:start': (message) => {
      const call = message as CallTrace;
      const kind = isSend(call) ? SpanKind.CLIENT : SpanKind.INTERNAL;
      spans.start(call, callName(call), kind, callAttributes(call));
    },
    'call:asyncEnd': (message) => {
      const call = message as CallTrace;
      spans.end(call, callResult(call));
      metrics.callEnded(call);
    },
    'attempt:asyncEnd': (message) => {
      const attempt = message as AttemptTrace;
      if (http) spans.end(attempt, requestResult(attempt));
      metrics.requestEnded(attempt);
    },
    ...(http && {
      'attempt:start': (message) => {
        const attempt = message as AttemptTrace;
        spans.start(attempt, requestName(attempt), SpanKind.CLIENT, requestAttributes(attempt));
      },
    }),
  };

  const subscriptions = Object.entries(listeners).map(([phase, listen]) => {
    // An error of the tracer would be an uncaught exception of the process.
    const listener: Listener = (message) => {
      tried(() => {
        listen(message);
      });
    };
    return { channel: `tracing:email-platform:${phase}`, listener };
  });
  for (const { channel, listener } of subscriptions) channels.subscribe(channel, listener);
  return () => {
    for (const { channel, listener } of subscriptions) channels.unsubscribe(channel, listener);
    spans.endAll();
  };
}

function diagnosticsChannel(): DiagnosticsChannel {
  const channels = builtinModule('node:diagnostics_channel') as DiagnosticsChannel | undefined;
  if (channels) return channels;
  throw new ConfigurationError(
    'instrument() needs node:diagnostics_channel, which this runtime does not have: in Workers, set the compatibility ' +
      'flag nodejs_compat; in a browser, use hooks',
    { option: 'instrument' },
  );
}
