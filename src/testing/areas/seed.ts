/** The initial data of an emulator. */
export type EmulatorSeed = 'demo' | 'empty';
