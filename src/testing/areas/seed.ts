/** What the emulator holds when it begins. */
export type EmulatorSeed = 'demo' | 'empty';
