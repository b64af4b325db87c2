/** The shared fields of all emails. The variables must reach the service together with the key. */
export const base = {
  from: { email: 'news@mail.example.com' },
  subject: 'What is new',
  text: 'There is news.',
  custom_variables: { campaign: 'news-42' },
};

/** An email of the proofs. */
export interface Email {
  to: { email: string }[];
  custom_variables?: Record<string, string>;
}

/** The email at a place of the input. A third have variables of their own. */
export const emailAt = (index: number): Email => ({
  to: [{ email: `reader-${index}@example.org` }],
  ...(index % 3 === 0 && { custom_variables: { reader: String(index) } }),
});

/** The key of the email at a place of the input. */
export const keyAt = (index: number): string => `news-42/reader-${index}@example.org`;

/** The key of an email. */
export const keyOf = ({ to: [first] }: Email): string => `news-42/${first?.email}`;
