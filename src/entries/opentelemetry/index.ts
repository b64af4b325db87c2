/**
 * Spans and metrics of every client in the process, for OpenTelemetry.
 * @module email-platform/opentelemetry
 */
export { instrument } from './instrument.ts';
export type { InstrumentOptions } from './options.ts';
