/** The only fault of a mail that cannot be read. */
export const unreadable = (reason: string) =>
  ({
    faults: [{ level: 'error', check: 'unreadable', message: `cannot be read: ${reason}` }],
    underSite: 0,
  }) as const;
