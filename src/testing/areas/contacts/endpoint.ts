/** What all endpoints under `/contacts` have in common. */
export const CONTACTS = { area: 'contacts', pool: 'contacts' } as const;
