import { metrics, trace } from '@opentelemetry/api';
import { instrument, type InstrumentOptions } from 'email-platform/opentelemetry';
import type { Same } from './same.ts';

export function instrumented(): unknown[] {
  const stop = instrument();
  const type: Same<typeof stop, () => void> = true;
  const options: InstrumentOptions = { tracer: undefined, meter: undefined, http: undefined };
  const own = { tracer: trace.getTracer('mail'), meter: metrics.getMeter('mail'), http: false };
  return [type, instrument(options), instrument(own)];
}

export function wrong(): unknown[] {
  return [
    // @ts-expect-error a name is not a tracer
    instrument({ tracer: 'mail' }),
    // @ts-expect-error a tracer is not a meter
    instrument({ meter: trace.getTracer('mail') }),
    // @ts-expect-error no such option
    instrument({ spans: true }),
    // @ts-expect-error true or false
    instrument({ http: 'no' }),
  ];
}
