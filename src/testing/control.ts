import { check, type Kind } from './checks/kind.ts';
import type { World } from './areas/world.ts';

/** An argument of a control. */
export interface Argument {
  readonly kind: Kind;
  readonly isOptional: boolean;
}

/** Something that a test can do or see without a request. */
export interface Control<Subject = World> {
  /** Its arguments by name, in order; `undefined` if it is a value that is read. */
  readonly takes: Readonly<Record<string, Argument>> | undefined;
  /** After its arguments may come a signal that ends it early. */
  readonly run: (subject: Subject, ...values: never[]) => unknown;
  /** For a control that waits: its part for a test. */
  readonly waiting?: Waiting;
}

/** Something that waits returns a promise, so that it also rejects wrong arguments rather than throws. */
export interface Waiting {
  /** Fills in arguments that are left out. */
  readonly filled?: (values: readonly unknown[]) => readonly unknown[];
  /** Throws unless the result is something to go on with. `again` calls the control with other arguments. */
  readonly judge?: (
    result: unknown,
    values: readonly unknown[],
    again: (...values: unknown[]) => unknown,
  ) => Promise<void>;
}

/** Calls a control that waits, for a test. */
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

/** Declares something that a test can do. `Call` is its type in {@link Emulator}. */
export const control = <Call extends (...values: never[]) => unknown, Subject = World>(
  takes: Readonly<Record<string, Argument>>,
  run: (subject: Subject, ...values: Parameters<Call>) => ReturnType<Call>,
): Control<Subject> => ({ takes, run: run as Control<Subject>['run'] });

/** Declares something that a test can see. */
export const reading = <Subject = World>(run: (subject: Subject) => unknown): Control<Subject> => ({
  takes: undefined,
  run,
});

/**
 * Refuses arguments that something does not take. A function is ignored: the hooks of test frameworks get one, as in
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

/** Calls a control. Wrong arguments are refused before anything happens. */
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
