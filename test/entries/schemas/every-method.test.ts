import type { EmailPlatform } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/resources/endpoints.ts';
import { recordedShapes } from '../../spec/recorded-shapes.ts';
import { receivedShapes, recordedTypes } from '../../spec/recorded-shapes-received.ts';
import { BESIDES, SIGNED, surface } from '../../spec/surface.ts';
import { rowOf } from '../../support/calls/calls.ts';
import { tour } from '../../support/calls/tour.ts';
import {
  endpointOf,
  recordingFetch,
  type Family,
  type RecordedExchange,
} from '../../support/recorded-exchanges.ts';
import { differences } from '../../support/shape.ts';
import { examples } from './examples.ts';

/** The schemas; adds the name of each that is used to `used`. */
function recorded(used: Set<string>): EmailPlatform.ResponseSchemas {
  const entries = Object.entries<EmailPlatform.StandardSchema>(schemas).map(([name, schema]) => {
    const standard = schema['~standard'];
    const validate = (value: unknown) => {
      used.add(name);
      return standard.validate(value);
    };
    return [name, { '~standard': { ...standard, validate } }] as const;
  });
  return Object.fromEntries<EmailPlatform.StandardSchema>(entries);
}

/** An exchange, and the endpoint that it was with. */
type Answered = RecordedExchange & { readonly endpoint: ReturnType<typeof endpointOf> };

/** Calls every method, with an account and without, and checks every response. */
async function callEverything() {
  const called = new Set<string>();
  const used = new Set<string>();
  const exchanges: Answered[] = [];
  const failures = new Map<string, unknown>();
  for (const hasAccount of [true, false]) {
    const recordings: RecordedExchange[][] = [];
    const failed = await tour(hasAccount, (options) => {
      const recording = recordingFetch(options.fetch, options.hosts);
      recordings.push(recording.exchanges);
      return {
        fetch: recording.fetch,
        schemas: recorded(used),
        validateResponses: 'throw',
        hooks: { onResponse: ({ operation }) => void called.add(operation) },
        throttle: false,
      };
    });
    for (const [operation, error] of failed) failures.set(operation, error);
    for (const exchange of recordings.flat()) exchanges.push({ ...exchange, endpoint: endpointOf(exchange) });
  }
  return { called, used, exchanges, failures };
}

let everything: ReturnType<typeof callEverything> | undefined;
const called = () => (everything ??= callEverything());
const operations = [...new Set(endpoints().map(({ operation }) => operation))];
const FILE = 'test/support/calls/table.ts';

describe('Every method has a row in the table of calls, which works against the emulator', () => {
  test.each(operations)('%s', async (operation) => {
    expect(rowOf(operation), `${operation} has no row in ${FILE}`).toBeDefined();
    const error = (await called()).failures.get(operation);
    expect(
      error,
      `The row of ${operation} in ${FILE} failed: is it behind the one that creates its object?`,
    ).toBe(undefined);
  });
});

test('the response of every method matches its schema', async () => {
  const { called: answered, used } = await called();
  expect(operations.filter((operation) => !answered.has(operation))).toEqual([]);
  expect([...used].sort()).toEqual((Object.keys(examples) as EmailPlatform.ResponseSchemaName[]).sort());
});

const shapes = { ...recordedShapes, ...receivedShapes };
/** Every endpoint that a method calls, by each of its paths. A method without an endpoint is for `surface.test.ts`. */
const rows = surface
  .filter(({ method }) => operations.some((operation) => operation === method))
  .flatMap((row) =>
    (row.accountPath === undefined ? ['token'] : ['token', 'account']).map(
      (family) => [`${row.method} ${row.verb}`, row.host, family as Family, row] as const,
    ),
  );

describe('The emulator answers as the service was recorded to', () => {
  test.each(rows)('%s {%s}, %s', async (_name, _host, family, row) => {
    const answered = (await called()).exchanges.filter(
      ({ endpoint, status }) => endpoint?.row === row && endpoint.family === family && status < 300,
    );
    expect(answered.length, `${row.method} was not called: see its row in ${FILE}`).toBeGreaterThan(0);
    const recorded = row.recorded.filter((status) => status < 300);
    for (const { status, type, body } of answered) {
      if (recorded.length > 0) expect(recorded).toContain(status);
      if (status === 204) {
        expect(body).toBe('');
        continue;
      }
      const wanted = recordedTypes[row.method] ?? 'application/json';
      expect(type.split(';')[0]).toBe(wanted);
      const shape = shapes[row.method];
      if (shape !== undefined) expect(differences(JSON.parse(body), shape)).toEqual([]);
    }
  });

  test('and the shape of every recorded success is known, unless it has no JSON', () => {
    const unknown = surface.filter(
      ({ method, recorded }) =>
        recorded.some((status) => status === 200 || status === 201) &&
        shapes[method] === undefined &&
        recordedTypes[method] === undefined,
    );
    expect(unknown.map(({ method }) => method)).toEqual([]);
  });

  test('and no request is sent that is not in the table, besides those with a reason', async () => {
    const others = (await called()).exchanges
      .filter(({ path, endpoint }) => !SIGNED.test(path) && endpoint === undefined)
      .map(({ verb, path }) => `${verb} ${path.replace(/\/accounts\/\d+/, '')}`);
    const besides = Object.keys(BESIDES).map((name) => name.replace(/^\S+ /, ''));
    expect(others.filter((request) => !besides.includes(request))).toEqual([]);
  });
});
