import type { EmailPlatform } from 'email-platform';
import type { Emulator } from 'email-platform/testing';
import type { Operation } from '../../../src/resources/endpoints.ts';

/** The ids and texts that calls are given. Against the emulator, each call replaces them by those of its result. */
export const KNOWN = {
  /** For wherever a text can be, so that the body is as large as that. */
  text: 'Hello',
  access: 7,
  account: 1,
  accountId: 1001,
  apiToken: 2,
  attachment: 3,
  campaign: 1,
  contact: 'ann@example.org',
  contactExport: 4,
  contactImport: 5,
  domain: 1,
  field: 6,
  folder: 8,
  forwardRule: 9,
  /** An inbox for inbound mail. */
  inbox: 10,
  inboundMessage: '2',
  list: 11,
  /** A message of the email log. */
  logged: 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
  newDomain: 12,
  optOut: 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
  organization: 13,
  pageTemplate: 14,
  project: 15,
  /** A message in the test inbox of the client's options. */
  sandboxMessage: 16,
  subAccount: 21,
  suppression: 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10',
  template: 17,
  /** A test inbox of the project. */
  testInbox: 18,
  /** The test inbox of the client's options. */
  ownInbox: 19,
  thread: '3',
  webhook: 20,
};

export type Known = typeof KNOWN;

/** The method at a path of the client, with what its groups are given before its own arguments: `subAccounts(1).list`. */
type MethodAt<
  Owner,
  Path extends string,
  Given extends unknown[] = [],
> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Owner
    ? Owner[Name] extends (...args: infer Args) => infer Group
      ? MethodAt<Group, Rest, [...Given, ...Args]>
      : MethodAt<Owner[Name], Rest, Given>
    : never
  : Path extends keyof Owner
    ? Owner[Path] extends (...args: infer Args) => infer Result
      ? { readonly args: [...Given, ...WithoutOptions<Required<Args>>]; readonly result: Awaited<Result> }
      : never
    : never;

/** The arguments of a method, of which the last are the options. */
type WithoutOptions<Args extends readonly unknown[]> = Args extends readonly [...infer Given, unknown]
  ? Given
  : never;

type Method<Name extends Operation> = MethodAt<EmailPlatform, Name>;

/** The emulator, and a client of it. */
export interface World {
  readonly emulator: Emulator;
  readonly client: EmailPlatform;
}

type MaybePromise<T> = T | Promise<T>;

/** How a method is called. */
export interface Row<Name extends Operation> {
  /** Its arguments, without the options. */
  readonly args: (known: Known) => Method<Name>['args'];
  /** The body of a successful response, if it is not the example of its schema. */
  readonly answer?: unknown;
  /** Against the emulator: what happens before the call. */
  readonly before?: (world: World, known: Known) => MaybePromise<Partial<Known> | undefined>;
  /** Against the emulator: checks the result, and returns what later calls are given of it. */
  readonly after?: (result: Method<Name>['result']) => Partial<Known> | undefined;
  /** Against the emulator: further calls of the method, for other forms of its response. */
  readonly also?: (world: World, known: Known) => MaybePromise<void>;
}

/** A row for each method with endpoints, or only its arguments: without one, this does not compile. */
export type Table = { readonly [Name in Operation]: Row<Name> | Row<Name>['args'] };

/** A row whose method is not known to the compiler. */
export interface AnyRow {
  readonly args: (known: Known) => readonly unknown[];
  readonly answer?: unknown;
  readonly before?: Row<Operation>['before'];
  readonly after?: (result: never) => Partial<Known> | undefined;
  readonly also?: Row<Operation>['also'];
}
