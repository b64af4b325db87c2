import type { Meter, Tracer } from '@opentelemetry/api';
import { booleanRule, mustBe, objectOf, type Rules } from '../core/rules.ts';

/** Options of `instrument`. */
export interface InstrumentOptions {
  /** The tracer that makes the spans. By default that of the registered SDK, whenever it is registered. */
  readonly tracer?: Tracer | undefined;
  /** The meter that makes the metrics. By default that of the registered SDK, whenever it is registered. */
  readonly meter?: Meter | undefined;
  /**
   * Whether each request has a span of its own and is measured as `http.client.request.duration`. Pass false where another
   * instrumentation does so already, such as that of undici: the spans that it makes are then children of the call's.
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
