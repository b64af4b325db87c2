/** Changes of a message as nodemailer would write it out. The service writes the message itself, and sees none of them. */
import type { Issue } from '../core/errors.ts';
import { BY_SERVICE } from './fields.ts';
import type { Mailer } from './mailer.ts';
import type { Mail } from './types.ts';

/** The methods of a message, and of its parts, that change more than headers and envelope. */
const METHODS = [
  'transform',
  'processFunc',
  'setContent',
  'setRaw',
  'createChild',
  'appendChild',
  'replace',
  'remove',
] as const;

/** The header that says how the body is written: another one would be about a body that the service does not send. */
const TYPE = 'content-type';

type Part = { readonly childNodes?: readonly Part[] } & Partial<
  Record<(typeof METHODS)[number], (...args: unknown[]) => unknown>
>;

const withParts = (part: Part): Part[] => [part, ...(part.childNodes ?? []).flatMap(withParts)];

/** Finds out which messages plugins change: one that encrypts, for instance, must not have its message sent as it was. */
export class Rewriting {
  /** The methods that were called, by message. */
  readonly #called = new WeakMap<object, string[]>();
  /** The type of a message as nodemailer made it. */
  readonly #types = new WeakMap<object, unknown>();

  /** Watches the messages of a transporter, which has no other plugins yet. */
  watch(mailer: Mailer): void {
    mailer.use('stream', ({ message }, done) => {
      this.#types.set(message, message.getHeader(TYPE));
      this.#watchMessage(message as Part);
      done();
    });
  }

  /** The changes that a message cannot be sent with. */
  issuesOf({ message, data }: Mail): Issue[] {
    const called = this.#called.get(message) ?? [];
    // nodemailer itself signs with this last; that `dkim` is ignored is decided elsewhere.
    const byPlugins = (data as { readonly dkim?: unknown }).dkim ? called.slice(0, -1) : called;
    const methods = [...new Set(byPlugins)].map((method) => ({
      path: `message.${method}`,
      message: 'cannot be used by a plugin: the service writes the message, without such a change',
    }));
    const isSameType = !this.#types.has(message) || this.#types.get(message) === message.getHeader(TYPE);
    return isSameType ? methods : [...methods, { path: `headers.${TYPE}`, message: BY_SERVICE }];
  }

  #watchMessage(message: Part): void {
    const called: string[] = [];
    this.#called.set(message, called);
    // These methods call each other.
    let isInside = false;
    for (const part of withParts(message)) {
      for (const name of METHODS) {
        const method = part[name];
        if (method === undefined) continue;
        const watched = (...args: unknown[]): unknown => {
          const isOuter = !isInside;
          if (isOuter) called.push(name);
          isInside = true;
          try {
            return method.apply(part, args);
          } finally {
            if (isOuter) isInside = false;
          }
        };
        Object.defineProperty(part, name, { value: watched, configurable: true, writable: true });
      }
    }
  }
}
