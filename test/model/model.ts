import type { EmailPlatform } from 'email-platform';
import type { Emulator } from 'email-platform/testing';
import fc from 'fast-check';
import { AccountModel } from './reference-account.ts';
import { Campaigns } from './reference-campaigns.ts';
import { People } from './reference-contacts.ts';
import { InboundModel } from './reference-inbound.ts';
import { Mail } from './reference-mail.ts';
import { SandboxModel } from './reference-sandbox.ts';
import { Hooks } from './reference-webhooks.ts';

/** The model of the service: its content and its time. */
export class Model {
  now: number;
  isBillingWithinLimits = true;
  readonly mail = new Mail(this);
  readonly people = new People();
  readonly sandbox = new SandboxModel();
  readonly hooks = new Hooks();
  readonly account = new AccountModel();
  readonly inbound = new InboundModel();
  readonly campaigns = new Campaigns(this);
  /** How often each kind of step was taken, over all runs. */
  readonly visited: Map<string, number>;

  constructor(now: number, visited: Map<string, number>) {
    this.now = now;
    this.visited = visited;
  }

  readonly isVerified = (domainId: number): boolean =>
    this.mail.isVerified(this.mail.domains.find(({ id }) => id === domainId));

  advance(ms: number): void {
    this.now += ms;
    this.campaigns.settle();
    this.people.settle(this.now);
    this.hooks.settle(this.now);
  }

  note(what: string): void {
    this.visited.set(what, (this.visited.get(what) ?? 0) + 1);
  }
}

/** The real service: the client, and the emulator it calls. */
export interface Service {
  readonly client: EmailPlatform;
  readonly emulator: Emulator;
}

export type Step = fc.AsyncCommand<Model, Service>;

/** Steps with arbitrary arguments. Outcomes are counted. Any step may be taken: the service refuses an invalid one. */
export const steps = <T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  run: (given: T, model: Model, service: Service) => unknown,
): fc.Arbitrary<Step> =>
  arbitrary.map((given) => ({
    check: () => true,
    run: async (model, service) => {
      const outcome = await run(given, model, service);
      model.note(typeof outcome === 'string' ? `${name}: ${outcome}` : name);
    },
    toString: () => `${name} ${fc.stringify(given)}`,
  }));

/** The item at a position, modulo the length and one more; undefined for the position after the last. */
export const pick = <T>(from: readonly T[], position: number): T | undefined =>
  from[position % (from.length + 1)];

/** A position for `pick`. */
export const position = fc.nat(1_000_000);
