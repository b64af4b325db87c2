/** The methods of an emulator. May import `service` and `report`; it knows no HTTP. */
import { late } from '../../../kit/late.ts';
import { areas } from '../../service/areas/all.ts';
import type { World } from '../../service/state/world.ts';
import { awaited, call, type Control } from '../../service/routing/control.ts';
import { generalControls, type Internals } from './general-controls.ts';

/** The controls of all areas, by their names in the emulator. */
export const allControls = late((): readonly [name: string, control: Control][] =>
  areas.flatMap(({ controls = {} }) => Object.entries(controls)),
);

/** A control of an area or of the whole emulator. */
export type AnyControl = Control<never>;

/** All controls: of the whole emulator, and of the areas. */
export const everyControl = (): [name: string, control: AnyControl][] => [
  ...Object.entries(generalControls),
  ...allControls(),
];

/** A control with its subject, ready to be called. */
export interface Callable {
  readonly name: string;
  readonly control: AnyControl;
  readonly call: (values: readonly unknown[], signal?: AbortSignal) => unknown;
}

/** All controls with their subjects: the emulator, or the current world. Due tasks run before a control of an area. */
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

/** Defines properties by their paths: `campaigns.add` becomes `add` of `campaigns`. */
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

/** Defines the controls on an object, as methods and getters. */
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
