import { EmailPlatform } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { createEmulator } from 'email-platform/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillEndpoint } from '../../src/core/path.ts';
import { endpoints, type DeclaredEndpoint } from '../../src/resources/endpoints.ts';
import { examples } from '../entries/schemas/examples.ts';
import { BESIDES, surface } from '../spec/surface.ts';
import { unnamed } from './declared-endpoints.ts';
import { pathArgumentsOf, rowOf } from './calls/calls.ts';
import { methodDocs } from './method-docs.ts';
import { namesOfNamespace } from './exported-names.ts';
import { queryReader } from './query-names.ts';
import { resourceMethods } from './resource-methods.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** All files that an endpoint has parts in, as sets of names: a name in a set says that the part exists. */
export interface House {
  /** The folder of a group of methods. */
  readonly folders: ReadonlyMap<string, string>;
  /** Names of the operations that are declared and listed. */
  readonly declared: ReadonlySet<string>;
  /** Names of the client's methods, each with its class. */
  readonly methods: ReadonlyMap<string, string>;
  /** Classes and methods with a docstring: `Campaigns`, `Campaigns.list`. */
  readonly documented: ReadonlySet<string>;
  readonly exported: ReadonlySet<string>;
  readonly schemas: ReadonlySet<string>;
  readonly examples: ReadonlySet<string>;
  /** Methods with a row in the table of endpoints. */
  readonly rows: ReadonlySet<string>;
  /** Methods with a row in the table of calls. */
  readonly calls: ReadonlySet<string>;
  /** Whether the emulator has a route for a request: `GET api /api/webhooks`. */
  readonly routes: (request: string) => boolean;
  /** For each operation that has a query: the names that the emulator looks up in it. */
  readonly queries: ReadonlyMap<string, ReadonlySet<string>>;
  /** The generated list of methods and endpoints. */
  readonly page: string;
  /** The generated list of the emulator's endpoints: each as `GET /api/webhooks/{}`. */
  readonly fidelity: ReadonlySet<string>;
}

const groupOf = (operation: string) => operation.slice(0, operation.lastIndexOf('.'));

/** The folders of the areas, by the groups of methods that their files declare. */
function foldersByGroup(): Map<string, string> {
  const areas = readdirSync(join(root, 'src/resources'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'base')
    .map(({ name }) => `src/resources/${name}`);
  return new Map(
    areas.flatMap((folder) =>
      [...read(`${folder}/endpoints.ts`).matchAll(/endpointsOf\('([\w.]+)'/g)].map(
        ([, group = '']) => [group, folder] as const,
      ),
    ),
  );
}

/** Whether the table of calls has the method. The compiler checks its arguments, and the emulator. */
const isCallable = ({ operation }: DeclaredEndpoint): boolean => rowOf(operation) !== undefined;

/** The current state of the repository. */
export async function houseAsItIs(): Promise<House> {
  const emulator = createEmulator({ limits: false });
  const { token, hosts } = emulator.clientOptions();
  const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
  const routes = new Map<string, boolean>();
  for (const request of endpoints().flatMap(requestsOf)) {
    const [verb = '', host = '', path = ''] = request.split(' ');
    const { status } = await emulator.fetch(`${hosts[host as keyof typeof hosts]}${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(verb !== 'GET' && { body: '{}' }),
    });
    routes.set(request, status !== 501);
  }
  const namesRead = await queryReader();
  const queries = new Map<string, ReadonlySet<string>>();
  for (const endpoint of endpoints().filter(hasQuery))
    queries.set(endpoint.operation, await namesRead(endpoint));
  const isRow = ({ operation }: DeclaredEndpoint) =>
    [
      ...surface.map(({ method }) => method),
      ...Object.keys(BESIDES).map((name) => name.split(' ')[0]),
    ].includes(operation);
  return {
    folders: foldersByGroup(),
    declared: new Set(endpoints().map(({ operation }) => operation)),
    methods: new Map(resourceMethods(client).map(({ name, resource }) => [name, resource.constructor.name])),
    documented: new Set([...methodDocs()].filter(([, { text }]) => text !== '').map(([name]) => name)),
    exported: new Set(namesOfNamespace('src/client/client.ts')),
    schemas: new Set(Object.keys(schemas)),
    examples: new Set(Object.keys(examples)),
    rows: new Set(
      endpoints()
        .filter(isRow)
        .map(({ operation }) => operation),
    ),
    calls: new Set(
      endpoints()
        .filter(isCallable)
        .map(({ operation }) => operation),
    ),
    routes: (request) => routes.get(request) ?? false,
    queries,
    page: read('docs/methods.md'),
    fidelity: new Set(
      [...read('docs/trust/fidelity.md').matchAll(/`([A-Z]+ \/api[^`]*)`/g)].map(([, line = '']) =>
        unnamed(line),
      ),
    ),
  };
}

/** Whether an endpoint sends parameters in a query. A method outside the table of endpoints sends none. */
const hasQuery = ({ operation, template, params }: DeclaredEndpoint): boolean =>
  params !== undefined && template.startsWith('GET ') && BESIDES[`${operation} ${template}`] === undefined;

/** The query parameters of an endpoint that the emulator ignores. */
function ignoredParams(endpoint: DeclaredEndpoint, { queries }: House): string[] {
  if (!hasQuery(endpoint)) return [];
  const known = [...(queries.get(endpoint.operation) ?? [])];
  const names = [...(endpoint.params?.fields ?? []), ...(endpoint.alsoSends ?? [])];
  return names.filter((name) => !known.some((read) => read === name || read.startsWith(`${name}[`)));
}

/** An endpoint as the emulator lists it, by the forms of its path. */
const linesOf = ({ template }: DeclaredEndpoint): string[] => {
  const lines = [undefined, NaN].map((accountId) => {
    const { method, path } = fillEndpoint(template, {}, accountId);
    return unnamed(`${method} ${path}`);
  });
  return [...new Set(lines)];
};

/** The requests that an endpoint has: without an account, and under one. */
export function requestsOf(endpoint: DeclaredEndpoint): string[] {
  const { template, host = 'api' } = endpoint;
  const requests = [undefined, 1001].map((accountId) => {
    const { method, path } = fillEndpoint(template, pathArgumentsOf(endpoint), accountId);
    return `${method} ${host} ${path}`;
  });
  return [...new Set(requests)];
}

/** The parts of an endpoint that are missing, each with the file in which it belongs. */
export function missingParts(endpoint: DeclaredEndpoint, house: House): string[] {
  const { operation, decoder } = endpoint;
  const folder = house.folders.get(groupOf(operation)) ?? 'src/resources';
  const owner = house.methods.get(operation);
  const method = operation.slice(operation.lastIndexOf('.') + 1);
  const parts: (readonly [isThere: boolean, part: string, file: string])[] = [
    [owner !== undefined, 'a method', `a class in ${folder}`],
    [
      owner === undefined || house.documented.has(`${owner}.${method}`),
      'a docstring of the method',
      `a class in ${folder}`,
    ],
    [
      owner === undefined || house.exported.has(owner),
      `the type EmailPlatform.${String(owner)}`,
      'src/client/client.ts',
    ],
    [
      decoder.schema === undefined || house.schemas.has(decoder.schema),
      `the schema ${String(decoder.schema)}`,
      `${folder}/schemas.ts, exported by src/entries/schemas/index.ts`,
    ],
    ...requestsOf(endpoint).map(
      (request) =>
        [
          house.routes(request),
          `a route of the emulator for ${request}`,
          'src/testing/service/areas',
        ] as const,
    ),
    ...ignoredParams(endpoint, house).map(
      (name) => [false, `the query parameter ${name} in the emulator`, 'src/testing/service/areas'] as const,
    ),
    ...linesOf(endpoint).map(
      (line) =>
        [
          house.fidelity.has(line),
          `a line for ${line} in the list of the emulator's endpoints`,
          'docs/trust/fidelity.md, which `npm run test:unit -- test/testing/service/fidelity.test.ts -u` writes',
        ] as const,
    ),
    [house.rows.has(operation), 'a row in the table of endpoints', 'test/spec/surface.ts'],
    [
      decoder.schema === undefined || house.examples.has(decoder.schema),
      `an example of ${String(decoder.schema)}`,
      'test/entries/schemas/examples.ts',
    ],
    [house.calls.has(operation), 'a row in the table of calls', 'test/support/calls/table.ts'],
    [
      house.page.includes(`| \`${operation}\``),
      'a line in the list of methods',
      'docs/methods.md, which `npm run test:unit -- test/docs/methods.test.ts -u` writes',
    ],
  ];
  return parts.filter(([isThere]) => !isThere).map(([, part, file]) => `${operation} lacks ${part}: ${file}`);
}

/** Groups of methods that a file declares, but no list contains. */
export const unlistedGroups = ({ folders, declared }: House): string[] =>
  [...folders]
    .filter(([group]) => ![...declared].some((operation) => groupOf(operation) === group))
    .map(
      ([group, folder]) =>
        `${group} is declared in ${folder}/endpoints.ts, but not listed: src/resources/endpoints.ts`,
    );
