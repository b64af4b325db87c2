/** The manifest of an area: its routes, options and controls. May import the state; it knows no engine. */
import type { Control } from './control.ts';
import type { Option } from '../../declare/option.ts';
import type { Route } from './route.ts';
import type { StoredFile } from '../state/account/storage.ts';
import type { AreaSettings, AreaState, World } from '../state/world.ts';

/** Options of an area, by name. */
export type OptionGroup = Readonly<Record<string, Option<unknown>>>;

/** The initial data of an emulator. */
export type EmulatorSeed = 'demo' | 'empty';

/**
 * The manifest of an area of the service: its endpoints, options, initial data and controls.
 */
export interface Area<
  Kept extends keyof AreaState = keyof AreaState,
  Options extends keyof AreaSettings = keyof AreaSettings,
> {
  /** The name of its folder, and of the client's resource. */
  readonly name: string;
  /** Its groups of options and single options, by their names in the options of the emulator. */
  readonly options?: Readonly<Record<Options, OptionGroup | Option<unknown>>>;
  /** Creates its stores, with parts of `world.state`. The stores of other areas may be missing at this time. */
  readonly keep?: (world: World) => Pick<AreaState, Kept>;
  readonly routes?: (world: World) => readonly (readonly Route[])[];
  /** Adds the initial data. */
  readonly seed?: (world: World, seed: EmulatorSeed) => void;
  /** Finds a file for a signed link, by its path in the storage. */
  readonly file?: (world: World, path: string) => StoredFile | undefined;
  /** Its controls, by their names in the emulator. */
  readonly controls?: Readonly<Record<string, Control>>;
}

/** Declares an area. A store in `Kept` that `keep` does not return is a compile error. */
export const area = <Kept extends keyof AreaState = never, Options extends keyof AreaSettings = never>(
  declared: Area<Kept, Options>,
): Area<Kept, Options> => declared;
