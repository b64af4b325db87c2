import { parse, stringify } from 'devalue';
import { check, anything, mapOf, objectOf, oneOf, problemIn, text, time, type Kind } from './checks/kind.ts';
import { crc32 } from './gzip.ts';

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

const FORMAT = 'email-platform emulator';
/** To be raised with every change to what a part of the state is. */
const VERSION = 2;

/** What a snapshot is of: the parts of the state, and the time of the clock. */
export interface Moment {
  readonly now: number;
  readonly parts: Record<string, object>;
}

/** Objects that JSON has and the encoder has not: those with a field of this name of their own. */
const PROTO = '__proto__';

const REDUCERS = {
  fields: (value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, PROTO) && Object.entries(value),
};
const REVIVERS = { fields: (entries: [string, unknown][]) => Object.fromEntries(entries) };

/** A snapshot is a copy: later changes of the state do not change it. */
export function snapshotOf(moment: Moment): EmulatorSnapshot {
  const state = stringify(moment, REDUCERS);
  return { format: FORMAT, version: VERSION, checksum: checksumOf(state), state };
}

const checksumOf = (state: string) => crc32(new TextEncoder().encode(state)).toString(16).padStart(8, '0');

const version: Kind = {
  what: `${VERSION}, the version of snapshots that this emulator takes`,
  hasType: (value) => typeof value === 'number',
  isAllowed: (value) => value === VERSION,
  form: { type: 'integer' },
};

const format = oneOf([FORMAT]);

const fields = objectOf<EmulatorSnapshot>({ format, version, checksum: text, state: text }, 'all');

/** A snapshot. Its version is judged first: one of another version has other fields. */
export const snapshotKind: Kind = {
  ...fields,
  problemWithin(value, name) {
    const given = value as Partial<EmulatorSnapshot>;
    return (
      problemIn(format, given.format, `${name}.format`) ??
      problemIn(version, given.version, `${name}.version`) ??
      fields.problemWithin?.(value, name)
    );
  },
};

const momentKind = objectOf<Moment>({ now: time, parts: mapOf(anything) }, 'all');

/** Makes something of what a snapshot is of. Throws if it is not a snapshot, or was changed since it was made. */
export function readSnapshot<T>(given: unknown, make: (moment: Moment) => T): T {
  check(snapshotKind, given, 'snapshot');
  const { checksum, state } = given as EmulatorSnapshot;
  if (checksumOf(state) !== checksum) {
    throw new RangeError('`snapshot.checksum` does not fit `snapshot.state`: it was changed, or cut off');
  }
  try {
    const moment: unknown = parse(state, REVIVERS);
    check(momentKind, moment, 'snapshot.state');
    return make(moment as Moment);
  } catch (cause) {
    throw new RangeError('`snapshot.state` is not the state of an emulator', { cause });
  }
}
