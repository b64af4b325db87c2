import { beforeAll, describe, expect, test } from 'vitest';
import { anything, objectOf } from '../../src/core/rules.ts';
import { endpoints, type Operation } from '../../src/resources/endpoints.ts';
import {
  houseAsItIs,
  missingParts,
  requestsOf,
  unlistedGroups,
  type House,
} from '../support/endpoint-parts.ts';

let house: House;
beforeAll(async () => {
  house = await houseAsItIs();
});

describe('No part of a declared endpoint is missing', () => {
  test.each(
    endpoints().map((endpoint) => [`${endpoint.operation}: ${endpoint.template}`, endpoint] as const),
  )('%s', (_name, endpoint) => {
    expect(missingParts(endpoint, house)).toEqual([]);
  });

  test('and every group of methods is listed', () => {
    expect(unlistedGroups(house)).toEqual([]);
  });
});

/** A set or a map without one of its names. */
const without = <T extends ReadonlySet<string> | ReadonlyMap<string, string>>(names: T, name: string): T => {
  expect([...names.keys()]).toContain(name);
  const rest = [...names].filter((entry) => (Array.isArray(entry) ? entry[0] : entry) !== name);
  return (names instanceof Map
    ? new Map(rest as [string, string][])
    : new Set(rest as string[])) as unknown as T;
};

describe('A half-added endpoint is told which part is missing, and where it belongs', () => {
  const of = (name: Operation) => {
    const found = endpoints().find(({ operation }) => operation === name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  };
  const get = of('templates.get');
  const [request = '', requestUnderAccount = ''] = requestsOf(get);

  test.each<[part: string, broken: (house: House) => Partial<House>, message: string]>([
    [
      'the method',
      ({ methods }) => ({ methods: without(methods, 'templates.get') }),
      'a method: a class in src/resources/templates',
    ],
    [
      'its docstring',
      ({ documented }) => ({ documented: without(documented, 'Templates.get') }),
      'a docstring of the method: a class in src/resources/templates',
    ],
    [
      'the type of its class',
      ({ exported }) => ({ exported: without(exported, 'Templates') }),
      'the type EmailPlatform.Templates: src/client/client.ts',
    ],
    [
      'the schema',
      ({ schemas }) => ({ schemas: without(schemas, 'template') }),
      'the schema template: src/resources/templates/schemas.ts, exported by src/entries/schemas/index.ts',
    ],
    [
      'the route of the emulator',
      ({ routes }) => ({ routes: (name) => name !== request && routes(name) }),
      `a route of the emulator for ${request}: src/testing/service/areas`,
    ],
    [
      'its route under an account',
      ({ routes }) => ({ routes: (name) => name !== requestUnderAccount && routes(name) }),
      `a route of the emulator for ${requestUnderAccount}: src/testing/service/areas`,
    ],
    [
      'its line in the list of the emulator',
      ({ fidelity }) => ({ fidelity: without(fidelity, 'GET /api/email_templates/{}') }),
      "a line for GET /api/email_templates/{} in the list of the emulator's endpoints: docs/trust/fidelity.md, which `npm run test:unit -- test/testing/service/fidelity.test.ts -u` writes",
    ],
    [
      'the row',
      ({ rows }) => ({ rows: without(rows, 'templates.get') }),
      'a row in the table of endpoints: test/spec/surface.ts',
    ],
    [
      'the example',
      ({ examples }) => ({ examples: without(examples, 'template') }),
      'an example of template: test/entries/schemas/examples.ts',
    ],
    [
      'its calls',
      ({ calls }) => ({ calls: without(calls, 'templates.get') }),
      'a row in the table of calls: test/support/calls/table.ts',
    ],
    [
      'the documentation',
      ({ page }) => ({ page: page.replace('| `templates.get`', '| `templates.take`') }),
      'a line in the list of methods: docs/methods.md, which `npm run test:unit -- test/docs/methods.test.ts -u` writes',
    ],
  ])('%s', (_part, broken, message) => {
    expect(missingParts(get, { ...house, ...broken(house) })).toEqual([`templates.get lacks ${message}`]);
  });

  test('a query parameter that the emulator does not look at', () => {
    const list = of('campaigns.list');
    const fields = Object.fromEntries(
      ['state', ...(list.params?.fields ?? [])].map((name) => [name, anything]),
    );
    expect(missingParts({ ...list, params: objectOf(fields) }, house)).toEqual([
      'campaigns.list lacks the query parameter state in the emulator: src/testing/service/areas',
    ]);
  });

  test('a group of methods that is not listed', () => {
    const folders = new Map([...house.folders, ['templates.drafts', 'src/resources/templates']]);
    expect(unlistedGroups({ ...house, folders })).toEqual([
      'templates.drafts is declared in src/resources/templates/endpoints.ts, but not listed: src/resources/endpoints.ts',
    ]);
  });
});
