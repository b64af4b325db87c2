/** The result of one check of {@link diagnose}. */
export interface Finding {
  /** The topic. */
  readonly topic: 'token' | 'hosts' | 'domains' | 'limits' | 'clock';
  /**
   * `ok`; `warning` for a problem that blocks no email of this client; `failure` for a problem that blocks every
   * email.
   */
  readonly level: 'ok' | 'warning' | 'failure';
  /** The finding as text. It contains no secret. */
  readonly text: string;
  /** The remedy. */
  readonly remedy?: string;
}

/** The result of {@link diagnose}. */
export interface Diagnosis {
  /** Whether an email can be sent: no finding is a `failure`. */
  readonly canSend: boolean;
  /** The findings, in the order token, hosts, domains, limits, clock. */
  readonly findings: readonly Finding[];
  /**
   * A sender for a test email: the client's default sender, or an address of a verified domain; undefined without
   * one.
   */
  readonly sender: string | undefined;
}
