/** The text in place of a part that a mask leaves out: its kind and its length. */
export const leftOut = (kind: string, length: number, unit = 'characters'): string =>
  `‹${kind}, ${length} ${unit}›`;

/** Matches a text that a mask has put in place of the local part of an address, or of a part that it leaves out. */
export const MASKED = /‹[^‹›]{1,100}, \d{1,12} (?:characters|bytes)›|[a-z\d]?\*{3}\d{0,9}/gi;
