/** A time of the emulator's clock as the service writes it: ISO 8601, in UTC, with milliseconds. */
export const iso = (time: number): string => new Date(time).toISOString();

/** The same, and `null` where there is no time. */
export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
