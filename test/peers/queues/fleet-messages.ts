/** What the test of a fleet and its processes say to each other. */

/** What a process is to send. */
export interface FleetOrder {
  /** Emails in the whole input. */
  readonly count: number;
  /** Where in the input it begins. */
  readonly from: number;
  /** How many emails it sends from there on; after the last of the input comes the first. */
  readonly take: number;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly limit: { readonly requests: number; readonly perMs: number };
  readonly processes: number;
  readonly onUnknown: 'report' | 'resend';
}

/** Emails counted by what became of them. */
export type Counts = Readonly<Record<string, number>>;

/** What a process tells. */
export type FleetReport =
  /** Its first call has ended. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'over'; readonly counts: Counts }
  | { readonly kind: 'failed'; readonly error: string };

/** Emails of one call: few, so that there are many calls. */
export const AT_ONCE = 20;

/** The key of an email, by its place in the input. */
export const keyAt = (index: number): string => `news-42/${index}`;
