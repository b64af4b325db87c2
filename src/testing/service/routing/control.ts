import { check, type Kind } from '../../declare/kind.ts';
import type { World } from '../state/world.ts';

/** An argument of a control. */
export interface Argument {
  readonly kind: Kind;
  readonly isOptional: boolean;
}

/** The request of the control API that calls a control, and its response. */
export interface ControlRequest {
  /**
   * HTTP method and path. Names in braces are arguments. The other arguments are in the query of a GET or DELETE, and in
   * the body of another request. If two controls have the same line, the request calls the one with more arguments.
   */
  readonly line: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  /** The argument whose fields are the query or the body. */
  readonly body?: string;
  /** The kind of the result; `undefined` for nothing. */
  readonly returns?: Kind;
  /** The field of the response with the result. By default, the result is the whole response. */
  readonly as?: string;
  /** The response instead of the result: the values of the controls with the same `state`, by their `as`. */
  readonly state?: Kind;
  /** The kind of the response, if it has more fields than the result. */
  readonly extended?: Kind;
  /** Default values of arguments that are optional in a request only. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Fields of the query that are not arguments. */
  readonly query?: Readonly<Record<string, Argument>>;
}

/**
 * A control: a method or a value of the emulator, for a test without a request. Its words are the first sentence of its
 * docstring in the interfaces of the emulator.
 */
export interface Control<Subject = World> extends ControlRequest {
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
  const checked = checkArguments({ takes }, name, given);
  const values = waiting.filled?.(checked) ?? checked;
  const result = await run(...values);
  await waiting.judge?.(result, values, run);
  return result;
}

export const needed = (kind: Kind): Argument => ({ kind, isOptional: false });
export const optional = (kind: Kind): Argument => ({ kind, isOptional: true });

/** Declares a method. `Call` is its type in {@link Emulator}. */
export const control = <Call extends (...values: never[]) => unknown, Subject = World>(
  line: ControlRequest['line'],
  { takes = {}, ...facts }: Partial<Omit<Control<Subject>, 'line' | 'run'>>,
  run: (subject: Subject, ...values: Parameters<Call>) => ReturnType<Call>,
): Control<Subject> => ({ line, takes, ...facts, run: run as Control<Subject>['run'] });

/** Declares a value. */
export const reading = <Subject = World>(
  line: ControlRequest['line'],
  facts: Required<Pick<ControlRequest, 'returns' | 'as'>> & Pick<ControlRequest, 'state'>,
  run: (subject: Subject) => unknown,
): Control<Subject> => ({ line, takes: undefined, ...facts, run });

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

/** The arguments of a control; refuses wrong ones. */
export function checkArguments(
  { takes = {} }: Pick<Control, 'takes'>,
  name: string,
  values: readonly unknown[],
): readonly unknown[] {
  checkCount(name, Object.keys(takes), values);
  return Object.entries(takes).map(([argument, { kind, isOptional }], index) =>
    isOptional && values[index] === undefined ? undefined : check(kind, values[index], argument),
  );
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
  const given = checkArguments(control, name, values);
  before?.();
  return control.run(subject, ...([...given, signal] as never[]));
}
