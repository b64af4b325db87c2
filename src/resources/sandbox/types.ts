/** The permissions of the token for a project or a test inbox. */
export interface SandboxPermissions {
  /** Whether it may read it. */
  can_read: boolean;
  /** Whether it may change it. */
  can_update: boolean;
  /** Whether it may delete it. */
  can_destroy: boolean;
  /** Whether it may give up its access. */
  can_leave: boolean;
}

/** A test inbox. Every response with one contains the credentials of its mail servers: log it with care. */
export interface SandboxInbox {
  /** Id of the inbox, for the option `sandboxInboxId` of sending. */
  id: number;
  /** Name of the inbox. */
  name: string;
  /** User name for SMTP and POP3. A secret. */
  username: string;
  /** Password for SMTP and POP3; null when the token has no admin access. A secret. */
  password: string | null;
  /** State of the inbox, such as `active`. */
  status: string;
  /** The part before the @ of the inbox's own address. */
  email_username: string;
  /** Whether the inbox receives email at its own address. */
  email_username_enabled: boolean;
  /** Whether the inbox has ever received a message. */
  used: boolean;
  /** Sender address of forwarded messages. */
  forward_from_email_address: string;
  /** Id of the project the inbox belongs to. */
  project_id: number;
  /** Host name of the SMTP server. */
  domain: string;
  /** Host name of the POP3 server. */
  pop3_domain: string;
  /** The part after the @ of the inbox's own address. */
  email_domain: string;
  /** Host name of the API for sending to the inbox; not in every response. */
  api_domain?: string | null | undefined;
  /** Ports of the SMTP server. */
  smtp_ports: number[];
  /** Ports of the POP3 server. */
  pop3_ports: number[];
  /** Messages received so far, deleted ones included. */
  sent_messages_count: number;
  /** Messages forwarded so far. */
  forwarded_messages_count: number;
  /** Messages in the inbox. */
  emails_count: number;
  /** Messages in the inbox that are not marked as read. */
  emails_unread_count: number;
  /** When the last message arrived, as an ISO 8601 date-time; null or left out before the first. */
  last_message_sent_at?: string | null | undefined;
  /** The maximum number of messages in the inbox. */
  max_size: number;
  /** The maximum size of a message, in bytes. */
  max_message_size: number;
  /** The permissions of the token for the inbox. */
  permissions: SandboxPermissions;
}

/** A project: a group of test inboxes. */
export interface SandboxProject {
  /** Id of the project. */
  id: number;
  /** Name of the project. */
  name: string;
  /** Links that invite others to the project; left out for a token that may not share it. A secret. */
  share_links?: SandboxShareLinks | undefined;
  /** The project's test inboxes, with their credentials. */
  inboxes: SandboxInbox[];
  /** The same, in responses of paths without an account. */
  sandboxes?: SandboxInbox[] | undefined;
  /** The permissions of the token for the project. */
  permissions: SandboxPermissions;
}

/** Links that invite others to a project. */
export interface SandboxShareLinks {
  /** Invites as an admin. */
  admin: string;
  /** Invites as a viewer. */
  viewer: string;
}

/** Parameters of `sandbox.projects.create` and `update`. */
export interface SandboxProjectParams {
  /** Name of the project, 2 to 100 characters. */
  name: string;
}

/** Parameters of `sandbox.inboxes.create`. */
export interface SandboxInboxCreateParams {
  /** Name of the inbox. */
  name: string;
  /** Id of the project again: the service also accepts it next to the name. */
  project_id?: number | undefined;
}

/** Parameters of `sandbox.inboxes.update`. Only the given fields change. */
export interface SandboxInboxUpdateParams {
  /** Name of the inbox. */
  name?: string | undefined;
  /** The part before the @ of the inbox's own address. */
  email_username?: string | undefined;
}
