import type { Control } from '../control.ts';
import type { Option } from '../option.ts';
import type { Route } from '../route.ts';
import type { StoredFile } from '../storage.ts';
import type { AreaSettings, AreaState, World } from './world.ts';

/** Options of an area, by name. */
export type OptionGroup = Readonly<Record<string, Option<unknown>>>;

/** The initial data of an emulator. */
export type EmulatorSeed = 'demo' | 'empty';

/**
 * An area of the service, as the rest of the emulator knows it: its endpoints, its options, its initial data, and what a
 * test can do to it without a request.
 */
export interface Area<
  Kept extends keyof AreaState = keyof AreaState,
  Options extends keyof AreaSettings = keyof AreaSettings,
> {
  /** Its name: that of its folder, and of the client's resource. */
  readonly name: string;
  /** Its options, under the name that they have among the options of the emulator; or one that is itself a value. */
  readonly options?: Readonly<Record<Options, OptionGroup | Option<unknown>>>;
  /** What it keeps, in parts of `world.state`. The other areas are not there yet, so it reads them only later. */
  readonly keep?: (world: World) => Pick<AreaState, Kept>;
  readonly routes?: (world: World) => readonly (readonly Route[])[];
  /** Adds the initial data. */
  readonly seed?: (world: World, seed: EmulatorSeed) => void;
  /** The file with this path in the storage, to which signed links lead. */
  readonly file?: (world: World, path: string) => StoredFile | undefined;
  /** What a test can do, by the name that it has in the emulator. */
  readonly controls?: Readonly<Record<string, Control>>;
}

/** Declares an area. The compiler reports what it says it keeps and does not. */
export const area = <Kept extends keyof AreaState = never, Options extends keyof AreaSettings = never>(
  declared: Area<Kept, Options>,
): Area<Kept, Options> => declared;
