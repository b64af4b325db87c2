import type { EmailPlatform } from 'email-platform';
import { endpoints, type DeclaredEndpoint, type Operation } from '../../../src/resources/endpoints.ts';
import { examples } from '../../entries/schemas/examples.ts';
import { surface } from '../../spec/surface.ts';
import type { Call, Reading } from './call.ts';
import { OTHERS } from './others.ts';
import { KNOWN, type AnyRow } from './row.ts';
import { TABLE } from './table.ts';

/** The row of a method; undefined if it is missing. */
export function rowOf(operation: Operation): AnyRow | undefined {
  const row = (TABLE as Readonly<Record<string, AnyRow | AnyRow['args'] | undefined>>)[operation];
  return typeof row === 'function' ? { args: row } : row;
}

/** The names of the arguments in the path of an endpoint, in the order in which its method takes them. */
const namesInPath = ({ template }: Pick<DeclaredEndpoint, 'template'>): string[] =>
  [...template.matchAll(/\{(\w+)(?::\w+)?\}/g)].flatMap(([, name = '']) =>
    name === 'account' ? [] : [name],
  );

/** The arguments in the path of an endpoint, by name. Empty for a method without a row. */
export function pathArgumentsOf(endpoint: DeclaredEndpoint): Record<string, unknown> {
  const args = rowOf(endpoint.operation)?.args(KNOWN) ?? [];
  return Object.fromEntries(namesInPath(endpoint).map((name, index) => [name, args[index]]));
}

/** Calls a method. A group that is a method, as `subAccounts(1)`, takes the first argument. */
export function callMethod(
  client: EmailPlatform,
  operation: string,
  args: readonly unknown[],
  options?: object,
): PromiseLike<unknown> {
  const left = [...args, options];
  const names = operation.split('.');
  const method = names.pop() ?? '';
  const group = names.reduce<unknown>((owner, name) => {
    const member = (owner as Record<string, unknown>)[name];
    return typeof member === 'function' ? (member.call(owner, left.shift()) as unknown) : member;
  }, client);
  const run = (group as Record<string, (...args: unknown[]) => PromiseLike<unknown>>)[method];
  if (run === undefined) throw new Error(`There is no method ${operation}.`);
  return run.apply(group, left);
}

/** The method of a call, as callers write it. */
export const methodOf = ({ name }: Call): string => name.replace(/ \(.*/, '');

const READINGS: Readonly<Record<DeclaredEndpoint['decoder']['kind'], Reading>> = {
  object: 'json',
  list: 'json',
  array: 'json',
  removed: 'json or 204',
  nothing: 'status',
  any: 'any',
  body: 'bytes',
  mail: 'mail',
};

/** The object of an endpoint's group of methods: the result of `get`, or of `create` if there is no `get`. */
function objectOf({ operation }: DeclaredEndpoint): object | undefined {
  const group = operation.slice(0, operation.lastIndexOf('.'));
  const about = ['get', 'create'].map((method) =>
    endpoints().find((endpoint) => endpoint.operation === `${group}.${method}`),
  );
  return about.map((endpoint) => exampleOf(endpoint?.decoder.schema)).find((object) => object !== undefined);
}

const exampleOf = (schema = ''): object | undefined => examples[schema as keyof typeof examples];

/** The body of a successful response, by how it is declared to be read. */
function answerOf(endpoint: DeclaredEndpoint): unknown {
  const { kind, field, schema } = endpoint.decoder;
  if (kind === 'nothing') return undefined;
  if (kind === 'body') return { not: 'read' };
  // A 404 to a second attempt has the same result: the object that the path names.
  const { id } = pathArgumentsOf(endpoint);
  const found = kind === 'removed' ? { ...(exampleOf(schema) ?? objectOf(endpoint)), id } : exampleOf(schema);
  return field === undefined || kind === 'list' ? found : { [field]: found };
}

/** The call of a method, as its row says. */
function callOf(endpoint: DeclaredEndpoint, row: AnyRow): Call {
  const { operation, template, decoder } = endpoint;
  // From the surface, not from the declaration, which this test checks.
  const isRepeatable = surface.find(({ method }) => method === operation)?.isRepeatable ?? false;
  const repeated = isRepeatable ? 'again the same' : 'does it twice';
  return {
    name: operation,
    run: (client, options, given) =>
      callMethod(client, operation, row.args({ ...KNOWN, text: given.text }), options),
    answer: row.answer ?? answerOf(endpoint),
    reading: operation === 'campaigns.schedule' ? 'json or state' : READINGS[decoder.kind],
    repeated: template.startsWith('GET ') ? 'reads' : repeated,
  };
}

/** The first endpoint of each method. */
const declared = new Map(
  endpoints()
    .map((endpoint) => [endpoint.operation, endpoint] as const)
    .reverse(),
);

/** A valid call of every method that sends something, and of `request`. A method without a row has none. */
export const CALLS: readonly Call[] = [
  ...[...declared.values()].flatMap((endpoint) => {
    const row = rowOf(endpoint.operation);
    return row === undefined ? [] : [callOf(endpoint, row)];
  }),
  ...OTHERS,
];
