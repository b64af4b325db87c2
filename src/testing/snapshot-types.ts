/** The state of an emulator as plain JSON: `JSON.stringify` writes it to a file, `JSON.parse` reads it back. */
export interface EmulatorSnapshot {
  /** Always `email-platform emulator`. */
  readonly format: 'email-platform emulator';
  /** The version of the format. Another one is refused. */
  readonly version: 1;
  /** The emulator's own token. The others, and the signed links, depend on it. */
  readonly token: string;
  /** The time of the emulator, and what it will do by itself. */
  readonly clock: {
    /** Milliseconds since 1970. */
    readonly now: number;
    /** What it will do, in the order of its times. */
    readonly planned: readonly unknown[];
  };
  /** How far each of the random streams has been drawn from. */
  readonly random: Readonly<Record<string, number>>;
  /** What counts in the rate-limit windows. */
  readonly limits: Readonly<Record<string, unknown>>;
  /** What several records have in common; they name its position. */
  readonly shared: readonly unknown[];
  /** The state of each area. */
  readonly areas: Readonly<Record<string, unknown>>;
}
