import { defined } from '../../kit/defined.ts';
import { objectOf, type Kind, type Kinds } from './kind.ts';

/** An option of the emulator: its kind and its default. */
export interface Option<T> {
  readonly kind: Kind;
  readonly default: T;
  /** The reason for the default: its source, or the note that no source states it. `docs/trust/fidelity.md` lists it. */
  readonly why: string;
}

/** An option for every field of `Given`. The fields in `Without` have no default. A missing option is a compile error. */
export type Options<Given, Without extends keyof Given = never> = {
  readonly [Name in keyof Given]-?: Option<
    Name extends Without ? undefined : Exclude<Required<Given>[Name], undefined>
  >;
};

/** The values of the options, with defaults for missing ones. */
export type Settings<Given, Without extends keyof Given = never> = Readonly<
  Required<Omit<Given, Without>> & Pick<Given, Without>
>;

export const option = <T>(kind: Kind, value: T, why: string): Option<T> => ({ kind, default: value, why });

type AnyOptions = Readonly<Record<string, Option<unknown>>>;

/** The kind of an object with these options. */
export function kindOf(options: AnyOptions): Kind {
  return objectOf(
    Object.fromEntries(Object.entries(options).map(([name, { kind }]) => [name, kind])) as Kinds<
      Record<string, unknown>
    >,
  );
}

/** Adds the defaults of missing options. */
export function settingsOf<Given extends object, Without extends keyof Given>(
  options: Options<Given, Without>,
  input: Partial<Given> | undefined,
): Settings<Given, Without> {
  const defaults = Object.entries<Option<unknown>>(options).map(([name, { default: value }]) => [
    name,
    value,
  ]);
  return { ...Object.fromEntries(defaults), ...defined(input ?? {}) } as Settings<Given, Without>;
}
