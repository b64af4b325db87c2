import { parse, stringify } from 'devalue';
import {
  check,
  anything,
  mapOf,
  objectOf,
  oneOf,
  problemIn,
  text,
  time,
  type Kind,
} from '../../declare/kind.ts';
import { CampaignCopy, CampaignEntry, Mailing, type MailingFacts } from './delivery/mailing.ts';
import { sha256 } from '../../encoding/hashes.ts';

/**
 * The state of an emulator, in a format for {@link Emulator.restore} only. It is plain JSON: `JSON.stringify` writes it to
 * a file, `JSON.parse` reads it back.
 */
export interface EmulatorSnapshot {
  /** Always `email-platform emulator`. */
  readonly format: 'email-platform emulator';
  /** The version of the format. `restore` refuses other versions. */
  readonly version: 4;
  /** The SHA-256 of `state`, in hexadecimal digits. `restore` refuses a changed snapshot. */
  readonly checksum: string;
  /** The encoded state. It contains the emulator's tokens and all emails. */
  readonly state: string;
}

const FORMAT = 'email-platform emulator';
/** Raise it with every change to the type of a part of the state. */
const VERSION = 4;

/** The content of a snapshot: the parts of the state, and the time of the clock. */
export interface Moment {
  readonly now: number;
  readonly parts: Record<string, object>;
}

/** The encoder refuses objects with an own field of this name, which JSON allows. The reducer encodes them as entries. */
const PROTO = '__proto__';

const REDUCERS = {
  fields: (value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, PROTO) && Object.entries(value),
  mailing: (value: unknown) => value instanceof Mailing && value.facts,
  entry: (value: unknown) => value instanceof CampaignEntry && value.parts,
  copy: (value: unknown) => value instanceof CampaignCopy && value.parts,
};
const REVIVERS = {
  fields: (entries: [string, unknown][]) => Object.fromEntries(entries),
  mailing: (facts: MailingFacts) => new Mailing(facts),
  entry: (parts: CampaignEntry['parts']) => new CampaignEntry(...parts),
  copy: (parts: CampaignCopy['parts']) => new CampaignCopy(...parts),
};

/** Makes a snapshot. It is a copy, which later changes of the state do not affect. */
export function snapshotOf(moment: Moment): EmulatorSnapshot {
  const state = stringify(moment, REDUCERS);
  return { format: FORMAT, version: VERSION, checksum: sha256(state), state };
}

const version: Kind = {
  what: `${VERSION}, the version of snapshots that this emulator takes`,
  hasType: (value) => typeof value === 'number',
  isAllowed: (value) => value === VERSION,
  form: { type: 'integer' },
};

const format = oneOf([FORMAT]);

const fields = objectOf<EmulatorSnapshot>({ format, version, checksum: text, state: text }, 'all');

/** The kind of a snapshot. Checks the version first, because other versions have other fields. */
export const snapshotKind: Kind = {
  ...fields,
  problemWithin(value, name) {
    const input = value as Partial<EmulatorSnapshot>;
    return (
      problemIn(format, input.format, `${name}.format`) ??
      problemIn(version, input.version, `${name}.version`) ??
      fields.problemWithin?.(value, name)
    );
  },
};

const momentKind = objectOf<Moment>({ now: time, parts: mapOf(anything) }, 'all');

/** Passes the content of a snapshot to `make`. Throws if the argument is not a snapshot, or was changed. */
export function readSnapshot<T>(input: unknown, make: (moment: Moment) => T): T {
  const { checksum, state } = check(snapshotKind, input as EmulatorSnapshot, 'snapshot');
  if (sha256(state) !== checksum) {
    throw new RangeError(
      '`snapshot.checksum` does not fit `snapshot.state`: the state was changed, or cut off',
    );
  }
  try {
    const moment: unknown = parse(state, REVIVERS);
    check(momentKind, moment, 'snapshot.state');
    return make(moment as Moment);
  } catch (cause) {
    throw new RangeError('`snapshot.state` is not the state of an emulator', { cause });
  }
}
