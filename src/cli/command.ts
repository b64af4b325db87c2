/** A command of the command line. Extends commander's class; the only file that imports commander. */
import { Command as Commander, CommanderError, Option, type ErrorOptions } from 'commander';
import { nearest } from '../kit/did-you-mean.ts';

/** An invalid command line. The message describes the mistake, and `usage` the correct form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.usage = usage;
  }
}

/** An invalid value. Functions that read values throw it, because they do not know the command. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

/**
 * The exit code after the help was shown: 0 if the user requested it, 2 for an invalid command line; undefined for
 * another error.
 */
export const exitCodeOfHelp = (error: unknown): 0 | 2 | undefined =>
  error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : undefined;

/** A command. Methods such as `takes` declare an option, and return a function that reads its value. */
export class Command extends Commander {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Adds an option with a value. Without the option, the value is `initial`, or undefined. */
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

  /** Puts the options that follow under a heading of the help. */
  group(heading: string): this {
    return this.optionsGroup(`${heading}:`);
  }

  /** Adds examples to the help: command lines with their effects. */
  examples(lines: Readonly<Record<string, string>>): this {
    const width = Math.max(...Object.keys(lines).map((line) => line.length));
    const texts = Object.entries(lines).map(([line, effect]) => `  ${line.padEnd(width)}   # ${effect}`);
    return this.addHelpText('after', () =>
      ['', this.configureHelp().styleTitle?.('Examples:') ?? 'Examples:', ...texts].join('\n'),
    );
  }

  /** Finds a command inside this one by its names. */
  inside([name, ...others]: readonly string[]): Command {
    if (name === undefined) return this;
    const command = this.commands.find((one) => one.name() === name);
    if (command instanceof Command) return command.inside(others);
    const suggestion = nearest(
      name,
      this.commands.map((command) => command.name()),
    );
    const hint = suggestion === undefined ? '' : ` (Did you mean ${suggestion}?)`;
    return this.error(`unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' });
  }

  /** Its name, preceded by the names of its parent commands. */
  fullName(): string {
    return this.parent instanceof Command ? `${this.parent.fullName()} ${this.name()}` : this.name();
  }

  /** commander's messages may have a second line, with a suggested name. */
  override error(message: string, { code }: ErrorOptions = {}): never {
    const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
    const hint = code === 'commander.unknownCommand' && !text.includes('(') ? this.#commandNames() : '';
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

  #commandNames(): string {
    return `. The commands are: ${this.commands.map((command) => command.name()).join(', ')}`;
  }

  #added(option: Option): () => unknown {
    this.addOption(option);
    return () => this.opts<Record<string, unknown>>()[option.attributeName()];
  }
}
