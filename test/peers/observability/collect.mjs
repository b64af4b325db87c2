import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Registers the OpenTelemetry SDK as an application does, with exporters that keep everything in memory. */
export function collect() {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const undici = new UndiciInstrumentation();
  undici.disable();
  return {
    undici,
    within: (name, run) =>
      trace.getTracer('app').startActiveSpan(name, (span) => run().finally(() => span.end())),
    spans: () => {
      const finished = spans.getFinishedSpans().map((span) => ({
        name: span.name,
        kind: SpanKind[span.kind],
        attributes: span.attributes,
        status: SpanStatusCode[span.status.code],
        id: span.spanContext().spanId,
        trace: span.spanContext().traceId,
        parent: span.parentSpanContext?.spanId,
      }));
      spans.reset();
      return finished;
    },
    metrics: async () => {
      await reader.forceFlush();
      const [collected] = exporter.getMetrics().slice(-1);
      return (collected?.scopeMetrics ?? [])
        .flatMap((scope) => scope.metrics)
        .map(({ descriptor, dataPoints }) => ({
          name: descriptor.name,
          unit: descriptor.unit,
          points: dataPoints.map(({ attributes, value }) => ({ attributes, count: value.count ?? value })),
        }));
    },
  };
}
