import { objectOf, type Kind, type Kinds } from './checks/kind.ts';
import { areas } from './areas/all.ts';
import type { AreaSettings } from './areas/world.ts';
import { generalOptions } from './general-options.ts';
import { kindOf, settingsOf, type Option } from './option.ts';
import type { EmulatorOptions } from './options.ts';

type Declared = Readonly<Record<string, Option<unknown>>>;

/** The options of every area, under the name that they have among those of the emulator. */
export const areaOptions = (): [name: string, options: Declared][] =>
  areas.flatMap(({ options = {} }) => Object.entries(options as Readonly<Record<string, Declared>>));

/** What `createEmulator` takes. */
export function createOptions(): Kind {
  const { seed, limits, window, countSending, answers, token, now } = generalOptions;
  const general = { seed, limits, window, countSending, answers };
  const kinds = (options: Declared) =>
    Object.entries(options).map(([name, { kind }]) => [name, kind] as const);
  return objectOf(
    Object.fromEntries([
      ...kinds(general),
      ...areaOptions().map(([name, options]) => [name, kindOf(options)] as const),
      ...kinds({ token, now }),
    ]) as Kinds<Record<string, unknown>>,
  );
}

/** The options of the areas in force. */
export function areaSettings(given: EmulatorOptions): AreaSettings {
  const settings = areaOptions().map(([name, options]): [string, unknown] => [
    name,
    settingsOf<Readonly<Record<string, unknown>>, never>(options, given[name as keyof AreaSettings] as never),
  ]);
  return Object.fromEntries(settings) as unknown as AreaSettings;
}
