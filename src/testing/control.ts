import { check } from './checks/argument.ts';
import { type Kind } from './checks/kind.ts';
import type { World } from './areas/world.ts';

/** An argument of a control. */
export interface Argument {
  readonly kind: Kind;
  readonly isOptional: boolean;
}

/** Something that a test can do or see without a request. */
export interface Control {
  /** What it does, in a sentence. */
  readonly words: string;
  /** Its arguments by name, in order; `undefined` if it is a value that is read. */
  readonly takes: Readonly<Record<string, Argument>> | undefined;
  /** What it returns; `undefined` for nothing. */
  readonly gives: Kind | undefined;
  readonly run: (world: World, ...values: never[]) => unknown;
}

export const needed = (kind: Kind): Argument => ({ kind, isOptional: false });
export const optional = (kind: Kind): Argument => ({ kind, isOptional: true });

/** Declares something that a test can do. `Call` is its type in {@link Emulator}. */
export const control = <Call extends (...values: never[]) => unknown>(
  words: string,
  takes: Readonly<Record<string, Argument>>,
  gives: Kind | undefined,
  run: (world: World, ...values: Parameters<Call>) => ReturnType<Call>,
): Control => ({ words, takes, gives, run: run as Control['run'] });

/** Declares something that a test can see. */
export const reading = (words: string, gives: Kind, run: (world: World) => unknown): Control => ({
  words,
  takes: undefined,
  gives,
  run,
});

/** Calls a control. What is due happens before, and wrong arguments are refused. */
export function call({ takes = {}, run }: Control, world: World, values: readonly unknown[]): unknown {
  for (const [index, [name, { kind, isOptional }]] of Object.entries(takes).entries()) {
    if (!isOptional || values[index] !== undefined) check(kind, values[index], name);
  }
  world.clock.settle();
  return run(world, ...(values as never[]));
}
