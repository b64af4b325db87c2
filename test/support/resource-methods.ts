import type { EmailPlatform } from 'email-platform';
import { Resource } from '../../src/resources/base/resource.ts';

/** A public method of one of a client's resources. */
export interface ResourceMethod {
  /** As callers write it: `accounts.accesses.list`. */
  readonly name: string;
  readonly resource: Resource;
  readonly run: (this: Resource, ...args: unknown[]) => unknown;
}

/** Fields and methods of an object; getters are among them. */
function membersOf(owner: object): (readonly [string, unknown])[] {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(owner)).filter(
    (name) => name !== 'constructor',
  );
  return [...Object.keys(owner), ...methods].map((name) => [name, (owner as Record<string, unknown>)[name]]);
}

/** The methods that return a group of methods, with their arguments. */
const GROUPS: Readonly<Record<string, readonly unknown[]>> = { 'organizations.subAccounts': [901] };

const methodsOf = (resource: Resource, path: string): ResourceMethod[] =>
  membersOf(resource).flatMap(([name, member]): ResourceMethod[] => {
    if (member instanceof Resource) return methodsOf(member, `${path}.${name}`);
    if (typeof member !== 'function') return [];
    const run = member as ResourceMethod['run'];
    const full = `${path}.${name}`;
    const group = GROUPS[full];
    if (group !== undefined) return methodsOf(run.apply(resource, [...group]) as Resource, full);
    return [{ name: full, resource, run }];
  });

/** Every method of every resource of a client, found by inspecting the client, so that none is missed. */
export const resourceMethods = (client: EmailPlatform): ResourceMethod[] =>
  membersOf(client).flatMap(([name, member]) => (member instanceof Resource ? methodsOf(member, name) : []));
