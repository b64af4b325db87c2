import { areas } from './areas/all.ts';
import type { World } from './areas/world.ts';
import { awaited, call, type Control } from './control.ts';
import { generalControls, type Internals } from './general-controls.ts';

/** Every control of every area, by the name that it has in the emulator. */
export const allControls = (): [name: string, control: Control][] =>
  areas.flatMap(({ controls = {} }) => Object.entries(controls));

/** A control, whatever it applies to. */
export type AnyControl = Control<never>;

/** Every control there is: those of the areas, and those of the emulator as a whole. */
export const everyControl = (): [name: string, control: AnyControl][] => [
  ...Object.entries(generalControls),
  ...allControls(),
];

/** A control that can be called. */
export interface Callable {
  readonly name: string;
  readonly control: AnyControl;
  readonly call: (values: readonly unknown[], signal?: AbortSignal) => unknown;
}

/** Every control, applied to the current world or to the emulator. What is due happens before those of an area. */
export function callables(world: () => World, internals: Internals): Callable[] {
  const general = Object.entries(generalControls).map(([name, control]): Callable => ({
    name,
    control,
    call: (values, signal) => call(control, name, internals, values, signal),
  }));
  const ofAreas = allControls().map(([name, control]): Callable => ({
    name,
    control,
    call: (values, signal) => {
      const current = world();
      return call(control, name, current, values, signal, () => current.clock.settle());
    },
  }));
  return [...general, ...ofAreas];
}

/** Defines properties by their paths: what is called `campaigns.add` becomes `add` of `campaigns`. */
export function defineByPath(
  root: object,
  properties: readonly (readonly [path: string, property: PropertyDescriptor])[],
): void {
  const groups = new Map<string, object>();
  for (const [path, property] of properties) {
    const [first = '', second] = path.split('.');
    if (second === undefined) {
      Object.defineProperty(root, first, { configurable: true, ...property });
      continue;
    }
    const group = groups.get(first) ?? {};
    groups.set(first, group);
    Object.defineProperty(group, second, { configurable: true, ...property });
    Object.defineProperty(root, first, { enumerable: true, configurable: true, value: group });
  }
}

const methodOf =
  (name: string, control: AnyControl, run: Callable['call']) =>
  (...values: unknown[]) =>
    control.waiting === undefined ? run(values) : awaited(control, name, values, (...filled) => run(filled));

/** Gives an object every control: a method, or a value that is read. */
export function defineControls(root: object, controls: readonly Callable[]): void {
  defineByPath(
    root,
    controls.map(({ name, control, call: run }) => [
      name,
      {
        enumerable: true,
        ...(control.takes === undefined
          ? { get: () => run([]) }
          : { value: methodOf(name, control, run), writable: true }),
      },
    ]),
  );
}
