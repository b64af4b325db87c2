import { check, type Kind } from '../../declare/kind.ts';
import type { World } from '../state/world.ts';

/** An argument of a control. */
export interface Argument {
  readonly kind: Kind;
  readonly isOptional: boolean;
}

/** A control: a method or a value of the emulator, for a test without a request. */
export interface Control<Subject = World> {
  /** The arguments by name, in order; `undefined` for a value. */
  readonly takes: Readonly<Record<string, Argument>> | undefined;
  /** Runs the control. After the arguments may follow a signal that ends it early. */
  readonly run: (subject: Subject, ...values: never[]) => unknown;
  /** Set for a control that waits. */
  readonly waiting?: Waiting;
}

/** The promise of a control that waits. Wrong arguments reject it, too. */
export interface Waiting {
  /** Adds the defaults of missing arguments. */
  readonly filled?: (values: readonly unknown[]) => readonly unknown[];
  /** Throws if the result is not a success. `again` calls the control with other arguments. */
  readonly judge?: (
    result: unknown,
    values: readonly unknown[],
    again: (...values: unknown[]) => unknown,
  ) => Promise<void>;
}

/** Checks the arguments, calls a control that waits, and judges its result. */
export async function awaited(
  { takes, waiting = {} }: Pick<Control, 'takes' | 'waiting'>,
  name: string,
  given: readonly unknown[],
  run: (...values: readonly unknown[]) => unknown,
): Promise<unknown> {
  checkArguments({ takes }, name, given);
  const values = waiting.filled?.(given) ?? given;
  const result = await run(...values);
  await waiting.judge?.(result, values, run);
  return result;
}

export const needed = (kind: Kind): Argument => ({ kind, isOptional: false });
export const optional = (kind: Kind): Argument => ({ kind, isOptional: true });

/** Declares a method. `Call` is its type in {@link Emulator}. */
export const control = <Call extends (...values: never[]) => unknown, Subject = World>(
  takes: Readonly<Record<string, Argument>>,
  run: (subject: Subject, ...values: Parameters<Call>) => ReturnType<Call>,
): Control<Subject> => ({ takes, run: run as Control<Subject>['run'] });

/** Declares a value. */
export const reading = <Subject = World>(run: (subject: Subject) => unknown): Control<Subject> => ({
  takes: undefined,
  run,
});

/**
 * Refuses surplus arguments. Ignores functions, because test frameworks pass one to their hooks:
 * `beforeEach(emulator.reset)`.
 */
export function checkCount(name: string, taken: readonly string[], values: readonly unknown[]): void {
  const surplus = values.slice(taken.length);
  if (surplus.every((value) => value === undefined || typeof value === 'function')) return;
  const most = taken.length === 0 ? 'no argument' : `only ${taken.map((one) => `\`${one}\``).join(', ')}`;
  throw new TypeError(`\`${name}\` takes ${most}, and was given ${values.length}`);
}

/** Refuses wrong arguments of a control. */
export function checkArguments(
  { takes = {} }: Pick<Control, 'takes'>,
  name: string,
  values: readonly unknown[],
): void {
  checkCount(name, Object.keys(takes), values);
  for (const [index, [argument, { kind, isOptional }]] of Object.entries(takes).entries()) {
    if (!isOptional || values[index] !== undefined) check(kind, values[index], argument);
  }
}

/** Checks the arguments, then calls a control. */
export function call<Subject>(
  control: Control<Subject>,
  name: string,
  subject: Subject,
  values: readonly unknown[],
  signal?: AbortSignal,
  before?: () => void,
): unknown {
  checkArguments(control, name, values);
  before?.();
  const given = Object.keys(control.takes ?? {}).map((_, index) => values[index]);
  return control.run(subject, ...([...given, signal] as never[]));
}
