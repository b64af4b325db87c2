/** Formats a time in milliseconds like the service: ISO 8601, in UTC, with milliseconds. */
export const iso = (time: number): string => new Date(time).toISOString();

/** Formats a time like {@link iso}; `null` stays `null`. */
export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
