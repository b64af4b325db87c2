/** The fields of an event that are read. Events of `email-platform/webhooks` have them. */
export interface PostedEvent {
  /** The subject of the event: `sending` for an email. */
  readonly kind: string;
  /** Its type, as the email log names it. */
  readonly event_type?: unknown;
  /** Id of the event. */
  readonly event_id?: unknown;
  /** When it happened. */
  readonly occurredAt?: unknown;
  /** Id of the message. */
  readonly message_id?: unknown;
  /** Recipient. */
  readonly email?: unknown;
  /** The stream of the email. */
  readonly sending_stream?: unknown;
  /** Custom variables of the email. */
  readonly custom_variables?: unknown;
  /** The response of the recipient's mail server. */
  readonly response?: unknown;
  /** Its status code. */
  readonly response_code?: unknown;
  /** The category of a bounce. */
  readonly bounce_category?: unknown;
  /** The service's reason for not sending the email. */
  readonly reason?: unknown;
  /** URL of a clicked link. */
  readonly url?: unknown;
  /** Address of the visitor, who opened or clicked. */
  readonly ip?: unknown;
  /** The visitor's program. */
  readonly user_agent?: unknown;
}
