import { metrics, type Meter } from '@opentelemetry/api';
import type { AttemptTrace, CallTrace } from '../../transport/tracing.ts';
import { VERSION } from '../../version.ts';
import { callMetric, isSend, operationMetric, requestMetric, sendMetric } from './attributes.ts';

const seconds = (description: string, explicitBucketBoundaries: number[]) => ({
  description,
  unit: 's',
  advice: { explicitBucketBoundaries },
});
/**
 * The bucket boundaries of the conventions, for requests. Those of calls are larger, because a call may wait for the
 * rate limit.
 */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const CALL_BUCKETS = [...REQUEST_BUCKETS, 30, 60, 120, 300];

const instrumentsOf = (meter: Meter) => ({
  calls: meter.createHistogram(
    'email_platform.call.duration',
    seconds('Duration of calls, including their waits.', CALL_BUCKETS),
  ),
  queued: meter.createHistogram(
    'email_platform.queue.duration',
    seconds("Time that calls waited in the rate limit's queue.", CALL_BUCKETS),
  ),
  refusals: meter.createCounter('email_platform.refusals', {
    description: 'Requests that the service refused with 429.',
    unit: '{request}',
  }),
  sends: meter.createHistogram(
    'messaging.client.operation.duration',
    seconds('Duration of messaging operation initiated by a producer or consumer client.', REQUEST_BUCKETS),
  ),
  requests: meter.createHistogram(
    'http.client.request.duration',
    seconds('Duration of HTTP client requests.', REQUEST_BUCKETS),
  ),
});

/** Records the metrics of calls and of requests. */
export class Metrics {
  readonly #meter: Meter | undefined;
  readonly #http: boolean;
  #provider: unknown;
  #made: ReturnType<typeof instrumentsOf> | undefined;

  constructor(meter: Meter | undefined, http: boolean) {
    this.#meter = meter;
    this.#http = http;
  }

  /** Created again for another provider: a meter created before the SDK is registered never records. */
  get #instruments(): ReturnType<typeof instrumentsOf> {
    const provider = this.#meter ?? metrics.getMeterProvider();
    if (this.#made && this.#provider === provider) return this.#made;
    this.#provider = provider;
    return (this.#made = instrumentsOf(this.#meter ?? metrics.getMeter('email-platform', VERSION)));
  }

  callEnded(call: CallTrace): void {
    const { durationMs = 0, queuedMs = 0 } = call;
    const { calls, queued, sends } = this.#instruments;
    calls.record(durationMs / 1000, callMetric(call));
    queued.record(queuedMs / 1000, operationMetric(call));
    if (isSend(call)) sends.record(durationMs / 1000, sendMetric(call));
  }

  requestEnded(attempt: AttemptTrace): void {
    const { refusals, requests } = this.#instruments;
    if (attempt.status === 429) refusals.add(1, operationMetric(attempt));
    if (this.#http) requests.record((attempt.durationMs ?? 0) / 1000, requestMetric(attempt));
  }
}
