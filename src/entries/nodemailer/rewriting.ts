/**
 * Detects plugins that change nodemailer's written form of a message. The service writes the message itself, so such
 * a change would be lost.
 */
import type { Issue } from '../../core/errors.ts';
import { BY_SERVICE } from './fields.ts';
import type { Mailer } from './mailer.ts';
import type { Mail } from './types.ts';

/** The methods of a message and of its parts that change more than headers and envelope. */
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

/** The header with the type of the body. A changed type would describe a body that the service does not send. */
const TYPE = 'content-type';

type Part = { readonly childNodes?: readonly Part[] } & Partial<
  Record<(typeof METHODS)[number], (...args: unknown[]) => unknown>
>;

const withParts = (part: Part): Part[] => [part, ...(part.childNodes ?? []).flatMap(withParts)];

/**
 * Records which messages plugins change: a plugin that encrypts a message, for instance, must not have it sent
 * unencrypted.
 */
export class Rewriting {
  /** The called methods, by message. */
  readonly #called = new WeakMap<object, string[]>();
  /** The type that nodemailer gave a message, by message. */
  readonly #types = new WeakMap<object, unknown>();

  /** Watches the messages of a transporter. Must run before other plugins are added. */
  watch(mailer: Mailer): void {
    mailer.use('stream', ({ message }, done) => {
      this.#types.set(message, message.getHeader(TYPE));
      this.#watchMessage(message as Part);
      done();
    });
  }

  /** The issues of a message for changes that the service cannot send. */
  issuesOf({ message, data }: Mail): Issue[] {
    const called = this.#called.get(message) ?? [];
    // With `dkim`, nodemailer itself makes the last call, to sign. Another check decides whether `dkim` is ignored.
    const byPlugins = (data as { readonly dkim?: unknown }).dkim ? called.slice(0, -1) : called;
    const methods = [...new Set(byPlugins)].map((method) => ({
      path: `message.${method}`,
      message: 'cannot be used by a plugin: the service writes the message itself and would lose this change',
    }));
    const isSameType = !this.#types.has(message) || this.#types.get(message) === message.getHeader(TYPE);
    return isSameType ? methods : [...methods, { path: `headers.${TYPE}`, message: BY_SERVICE }];
  }

  #watchMessage(message: Part): void {
    const called: string[] = [];
    this.#called.set(message, called);
    // Records only the outer call, because these methods call each other.
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
