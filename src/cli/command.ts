/** A command of the command line: what the library for it does not do by itself, and the only file that imports it. */
import { Command as Commander, CommanderError, Option, type ErrorOptions } from 'commander';
import { nearest } from '../core/did-you-mean.ts';

/** The command line is invalid. The message says what is wrong with it, and `usage` is how the command is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.usage = usage;
  }
}

/** A value is invalid. Reading functions throw it, and do not know which command they read for. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

/** The help was shown. The command line is invalid unless it was asked for. */
export const exitCodeOfHelp = (error: unknown): 0 | 2 | undefined =>
  error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : undefined;

/** A command. Its options are declared once, by methods that return what reads their values. */
export class Command extends Commander {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Adds an option with a value. It is undefined unless it is given, or there is an initial one. */
  takes<T>(flags: string, words: string, read: (text: string) => T, initial: NoInfer<T>): () => T;
  takes<T>(flags: string, words: string, read: (text: string) => T): () => T | undefined;
  takes<T>(flags: string, words: string, read: (text: string) => T, initial?: T): () => T | undefined {
    const option = new Option(flags, words).argParser(read);
    const value = this.#added(initial === undefined ? option : option.default(initial));
    return () => value() as T | undefined;
  }

  /** Adds an option with a value that can be repeated. */
  takesMany<T>(flags: string, words: string, read: (text: string) => T): () => readonly T[] {
    const option = new Option(flags, `${words}; can be repeated`);
    const values = this.#added(
      option.argParser((text: string, before: readonly T[] | undefined) => [...(before ?? []), read(text)]),
    );
    return () => (values() ?? []) as readonly T[];
  }

  /** Adds an option without a value. */
  allows(flags: string, words: string): () => boolean {
    const isSet = this.#added(new Option(flags, words));
    return () => isSet() === true;
  }

  /** Adds examples to the help: command lines, and what they do. */
  examples(lines: Readonly<Record<string, string>>): this {
    const width = Math.max(...Object.keys(lines).map((line) => line.length));
    const texts = Object.entries(lines).map(([line, what]) => `  ${line.padEnd(width)}   # ${what}`);
    return this.addHelpText('after', () =>
      ['', this.configureHelp().styleTitle?.('Examples:') ?? 'Examples:', ...texts].join('\n'),
    );
  }

  /** The command in this one that has these names. */
  inside([name, ...others]: readonly string[]): Command {
    if (name === undefined) return this;
    const found = this.commands.find((command) => command.name() === name);
    if (found instanceof Command) return found.inside(others);
    const meant = nearest(
      name,
      this.commands.map((command) => command.name()),
    );
    const hint = meant === undefined ? '' : ` (Did you mean ${meant}?)`;
    return this.error(`unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' });
  }

  /** Its name after those of the commands that it is in. */
  fullName(): string {
    return this.parent instanceof Command ? `${this.parent.fullName()} ${this.name()}` : this.name();
  }

  /** The library's messages may have a second line, with the name that was probably meant. */
  override error(message: string, { code }: ErrorOptions = {}): never {
    const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
    const hint = code === 'commander.unknownCommand' && !text.includes('(') ? this.#known() : '';
    const name = this.fullName();
    throw new UsageError(
      text.charAt(0).toUpperCase() + text.slice(1) + hint,
      `Usage: ${name} ${this.usage()} (${name} --help says more)`,
    );
  }

  override parseOptions(args: string[]) {
    try {
      return super.parseOptions(args);
    } catch (error) {
      if (error instanceof InvalidValue) this.error(error.message);
      throw error;
    }
  }

  #known(): string {
    return `. There are: ${this.commands.map((command) => command.name()).join(', ')}`;
  }

  #added(option: Option): () => unknown {
    this.addOption(option);
    return () => this.opts<Record<string, unknown>>()[option.attributeName()];
  }
}
