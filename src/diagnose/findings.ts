/** Something that {@link diagnose} looked at. */
export interface Finding {
  /** The topic. */
  readonly topic: 'token' | 'hosts' | 'domains' | 'limits' | 'clock';
  /**
   * `ok`; `warning` for what keeps no email of this client from going out; `failure` for what keeps every email of it.
   */
  readonly level: 'ok' | 'warning' | 'failure';
  /** The finding, in words. It has no secret. */
  readonly text: string;
  /** The remedy. */
  readonly remedy?: string;
}

/** The result of {@link diagnose}. */
export interface Diagnosis {
  /** Whether an email can be sent: nothing is a `failure`. */
  readonly canSend: boolean;
  /** The findings, in the order token, hosts, domains, limits, clock. */
  readonly findings: readonly Finding[];
  /** A sender for a test email: the client's default one, or one of a verified domain; undefined where there is none. */
  readonly sender: string | undefined;
}
