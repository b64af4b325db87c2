/**
 * The state of an emulator, in a form of its own that only {@link Emulator.restore} reads. It is plain JSON:
 * `JSON.stringify` writes it to a file, `JSON.parse` reads it back.
 */
export interface EmulatorSnapshot {
  /** Always `email-platform emulator`. */
  readonly format: 'email-platform emulator';
  /** The version of the format. Another one is refused. */
  readonly version: 2;
  /** The CRC-32 of `state`, as eight hexadecimal digits. A snapshot that was changed is refused. */
  readonly checksum: string;
  /** Everything else. It contains the emulator's tokens and all emails. */
  readonly state: string;
}
