import type { LiteralUnion } from 'type-fest';
import type { Page } from '../../core/pager.ts';

/** A folder of inbound inboxes. */
export interface InboundFolder {
  /** Id of the folder. */
  id: number;
  /** Name of the folder. */
  name: string;
}

/** Parameters of `inbound.folders.create` and `inbound.folders.update`. */
export interface InboundFolderParams {
  /** Name of the folder, at most 100 characters. */
  name: string;
}

/** An inbox that receives email. */
export interface InboundInbox {
  /** Id of the inbox. */
  id: number;
  /** Name of the inbox. */
  name: string;
  /** Email address of the inbox. At your domain, it is `*@` and the domain: every name there reaches the inbox. */
  address: string;
  /** Id of the address's domain; not in every response. */
  domain_id?: number | null | undefined;
}

/** Parameters of `inbound.inboxes.create`. */
export interface InboundInboxCreateParams {
  /** Name of the inbox. */
  name: string;
  /**
   * Id of your domain, of which the inbox receives all email; the domain needs `inbound_enabled` and an MX record. By
   * default the service hosts the inbox at its own domain.
   */
  domain_id?: number | undefined;
}

/** Parameters of `inbound.inboxes.update`. */
export interface InboundInboxUpdateParams {
  /** Name of the inbox. */
  name: string;
}

/**
 * The part of a message in a condition of a forward rule: one of the known parts, or one the service has added since.
 */
export type ForwardRuleMatchType = LiteralUnion<'sender' | 'recipient' | 'header', string>;

/** The operator of a condition of a forward rule: one of the known ones, or one the service has added since. */
export type ForwardRuleOperator = LiteralUnion<
  'equal' | 'not_equal' | 'contains' | 'starts_with' | 'ends_with' | 'empty' | 'not_empty',
  string
>;

/** A condition for forwarding a message. */
export interface ForwardRuleCondition {
  /** The compared part of the message. */
  match_type: ForwardRuleMatchType;
  /** The operator. */
  operator: ForwardRuleOperator;
  /** The value to compare with; absent with `empty` and `not_empty`. */
  value?: string | null | undefined;
  /** Name of the header, for a condition on a header. */
  header_key?: string | null | undefined;
}

/** A destination of forwarded messages. */
export interface ForwardRuleDestination {
  /** Email address. */
  email: string;
}

/** A rule by which an inbox forwards messages. */
export interface ForwardRule {
  /** Id of the rule. */
  id: number;
  /** Name of the rule. */
  name: string;
  /** When the rule was created, as an ISO 8601 date-time. */
  created_at: string;
  /** When the rule was last changed, as an ISO 8601 date-time. */
  updated_at: string;
  /** The conditions that a message has to meet. */
  conditions: ForwardRuleCondition[];
  /** The destinations of forwarded messages. */
  destinations: ForwardRuleDestination[];
}

/** Parameters of `inbound.forwardRules.update`. Only the given fields change; a list replaces the previous one. */
export interface ForwardRuleUpdateParams {
  /** Name of the rule. */
  name?: string | undefined;
  /** The conditions that a message has to meet. */
  conditions?: readonly ForwardRuleCondition[] | undefined;
  /** The destinations of forwarded messages. */
  destinations?: readonly ForwardRuleDestination[] | undefined;
}

/** Parameters of `inbound.forwardRules.create`. */
export interface ForwardRuleCreateParams extends ForwardRuleUpdateParams {
  /** Name of the rule. */
  name: string;
}

/** The only page of `inbound.forwardRules.list`. */
export interface ForwardRulePage extends Page<ForwardRule> {
  /** All rules of the inbox. */
  readonly data: ForwardRule[];
}
