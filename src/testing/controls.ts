import { areas } from './areas/all.ts';
import type { World } from './areas/world.ts';
import { call, type Control } from './control.ts';
import type { EmulatorControls } from './emulator-types.ts';

/** Every control of every area, by the name that it has in the emulator. */
export const allControls = (): [name: string, control: Control][] =>
  areas.flatMap(({ controls = {} }) => Object.entries(controls));

/** The controls as an object: what is called `campaigns.add` is `add` of `campaigns`. All apply to the current world. */
export function createControls(world: () => World): EmulatorControls {
  const root: Record<string, unknown> = {};
  for (const [path, control] of allControls()) {
    const [first = '', second] = path.split('.');
    const group = second === undefined ? root : ((root[first] ??= {}) as Record<string, unknown>);
    const run = (...values: unknown[]) => call(control, world(), values);
    Object.defineProperty(group, second ?? first, {
      enumerable: true,
      ...(control.takes === undefined ? { get: () => run() } : { value: run }),
    });
  }
  return root as unknown as EmulatorControls;
}
