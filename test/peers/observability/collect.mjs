import { metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
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

/** Sets up the OpenTelemetry SDK with exporters that keep everything in memory. */
export function collect() {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return {
    spans: () =>
      spans.getFinishedSpans().map((span) => ({
        name: span.name,
        kind: SpanKind[span.kind],
        attributes: span.attributes,
        status: SpanStatusCode[span.status.code],
        id: span.spanContext().spanId,
        trace: span.spanContext().traceId,
        parent: span.parentSpanContext?.spanId,
      })),
    metrics: async () => {
      await reader.forceFlush();
      const [collected] = exporter.getMetrics().slice(-1);
      return collected.scopeMetrics
        .flatMap((scope) => scope.metrics)
        .map(({ descriptor, dataPoints }) => ({
          name: descriptor.name,
          unit: descriptor.unit,
          points: dataPoints.map(({ attributes, value }) => ({ attributes, count: value.count })),
        }));
    },
  };
}
