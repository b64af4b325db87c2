/** Something that {@link diagnose} looked at. */
export interface Finding {
  /** The topic. */
  readonly topic: 'token' | 'hosts' | 'domains' | 'limits' | 'clock';
  /**
   * `ok`; `warning` for what keeps no email of this client from going out; `failure` for what keeps every email of it.
   */
  readonly level: 'ok' | 'warning' | 'failure';
  /** What was found. It has no secret. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** What {@link diagnose} finds. */
export interface Diagnosis {
  /** Whether an email can be sent: nothing is a `failure`. */
  readonly canSend: boolean;
  /** What was looked at, in the order token, hosts, domains, limits, clock. */
  readonly findings: readonly Finding[];
  /** A sender for a test email: the client's default one, or one of a verified domain; undefined where there is none. */
  readonly sender: string | undefined;
}
