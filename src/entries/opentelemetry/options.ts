import type { Meter, Tracer } from '@opentelemetry/api';
import { booleanRule, mustBe, objectOf, type Rules } from '../../core/rules.ts';

/** Options of `instrument`. */
export interface InstrumentOptions {
  /**
   * The tracer that creates the spans. By default the tracer of the registered SDK, even if the SDK is registered
   * later.
   */
  readonly tracer?: Tracer | undefined;
  /**
   * The meter that creates the metrics. By default the meter of the registered SDK, even if the SDK is registered
   * later.
   */
  readonly meter?: Meter | undefined;
  /**
   * Whether each request has its own span and is measured as `http.client.request.duration`. Pass false if another
   * instrumentation does this already, such as that of undici: its spans are then children of the call's span.
   * @defaultValue true
   */
  readonly http?: boolean | undefined;
}

const has = (method: string) => (value: unknown) =>
  typeof (Object(value) as Record<string, unknown>)[method] === 'function';

const rules: Rules<InstrumentOptions> = {
  tracer: mustBe('a tracer: trace.getTracer(…)', has('startSpan')),
  meter: mustBe('a meter: metrics.getMeter(…)', has('createHistogram')),
  http: booleanRule,
};

/** Checks the options. */
export const optionsRule = objectOf(rules);
