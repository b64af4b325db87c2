import { late } from '../../kit/late.ts';
import { objectOf, type Kind, type Kinds } from '../declare/kind.ts';
import { areas } from './areas/all.ts';
import type { OptionGroup } from './routing/area.ts';
import type { AreaSettings } from './state/world.ts';
import { generalOptions } from './general-options.ts';
import { kindOf, settingsOf, type Option } from '../declare/option.ts';
import type { EmulatorOptions } from './emulator-options.ts';

const isGroup = (declared: OptionGroup | Option<unknown>): declared is OptionGroup =>
  typeof declared.why !== 'string';

const declaredByAreas = () =>
  areas.flatMap(({ options = {} }) =>
    Object.entries(options as Readonly<Record<string, OptionGroup | Option<unknown>>>),
  );

/** The option groups of the areas, by their names in the options of the emulator. */
export const areaOptions = late((): readonly [name: string, options: OptionGroup][] =>
  declaredByAreas().flatMap(([name, declared]) => (isGroup(declared) ? [[name, declared]] : [])),
);

/** The options of areas that are not groups, by name. */
export const areaValues = late((): OptionGroup =>
  Object.fromEntries(
    declaredByAreas().flatMap(([name, declared]) => (isGroup(declared) ? [] : [[name, declared]])),
  ),
);

/** The kind of the options of `createEmulator`: every declared option, so that none is documented and then refused. */
export const createOptions = late((): Kind =>
  objectOf(
    Object.fromEntries([
      ...kindsOf(generalOptions),
      ...areaOptions().map(([name, options]) => [name, kindOf(options)] as const),
      ...kindsOf(areaValues()),
    ]) as Kinds<Record<string, unknown>>,
  ),
);

const kindsOf = (options: OptionGroup) =>
  Object.entries(options).map(([name, { kind }]) => [name, kind] as const);

/** The options of the areas, with their defaults. */
export function areaSettings(input: EmulatorOptions): AreaSettings {
  const settings = areaOptions().map(([name, options]): [string, unknown] => [
    name,
    settingsOf<Readonly<Record<string, unknown>>, never>(options, input[name as keyof AreaSettings] as never),
  ]);
  const values = Object.entries(areaValues()).map(([name, { default: value }]): [string, unknown] => [
    name,
    input[name as keyof AreaSettings] ?? value,
  ]);
  return Object.fromEntries([...settings, ...values]) as unknown as AreaSettings;
}
