/** The result of one check of {@link diagnose}. */
export interface Finding {
  /** The topic. */
  readonly topic:
    | 'token'
    | 'hosts'
    | 'proxy'
    | 'stream'
    | 'guard'
    | 'sender'
    | 'domains'
    | 'plan'
    | 'limits'
    | 'clock';
  /**
   * `ok`; `failure` for a problem that blocks every email of this client, or, as topic `sender`, every email of its
   * default sender; `warning` for any other: a setting by which
   * no customer gets email, such as the sandbox, a check that was not possible, another domain or host.
   */
  readonly level: 'ok' | 'warning' | 'failure';
  /** The finding as text. It contains no secret. */
  readonly text: string;
  /** The remedy. */
  readonly remedy?: string;
  /** Further lines of the remedy: the DNS records to add, with type, name and value. */
  readonly details?: readonly string[];
}

/** The result of {@link diagnose}. */
export interface Diagnosis {
  /** Whether the service accepts emails of this client, from its default sender: no finding is a `failure`. */
  readonly canSend: boolean;
  /**
   * Whether customers get these emails: `canSend`, and neither the sandbox, nor the option `recipients`, nor an
   * emulator keeps them from it: an address of this machine or of plain http, or a token of an emulator. Only a test
   * email shows whether the token may send.
   */
  readonly reachesCustomers: boolean;
  /** Milliseconds until the rate limit resets, if the token was not checked because of it. */
  readonly retryAfterMs?: number;
  /** The findings, in the order of the topics above. */
  readonly findings: readonly Finding[];
  /**
   * A sender for a test email: the client's default sender, or an address of a verified domain; undefined without
   * one.
   */
  readonly sender: string | undefined;
}

const finding =
  (level: Finding['level']) =>
  (topic: Finding['topic'], text: string, remedy: string): Finding => ({ topic, level, text, remedy });

/** A finding that blocks every email, or every email of the default sender. */
export const failure = finding('failure');

/** Any other finding with a remedy. */
export const warning = finding('warning');
