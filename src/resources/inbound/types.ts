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
  /** Address that the inbox receives email at. */
  address: string;
  /** Id of the address's domain; not in every response. */
  domain_id?: number | null | undefined;
}

/** Parameters of `inbound.inboxes.create`. */
export interface InboundInboxCreateParams {
  /** Name of the inbox. */
  name: string;
  /** Id of a domain of yours for its address. When left out, the service hosts the inbox at a domain of its own. */
  domain_id?: number | undefined;
}

/** Parameters of `inbound.inboxes.update`. */
export interface InboundInboxUpdateParams {
  /** Name of the inbox. */
  name: string;
}

/** What a condition of a forward rule looks at: one of the known parts, or one the service has added since. */
export type ForwardRuleMatchType = LiteralUnion<'sender' | 'recipient' | 'header', string>;

/** How a condition of a forward rule compares: one of the known ways, or one the service has added since. */
export type ForwardRuleOperator = LiteralUnion<
  'equal' | 'not_equal' | 'contains' | 'starts_with' | 'ends_with' | 'empty' | 'not_empty',
  string
>;

/** A condition that a message meets to be forwarded. */
export interface ForwardRuleCondition {
  /** The part of the message that is compared. */
  match_type: ForwardRuleMatchType;
  /** How it is compared. */
  operator: ForwardRuleOperator;
  /** What it is compared with; not with `empty` and `not_empty`. */
  value?: string | null | undefined;
  /** Name of the header, where a header is compared. */
  header_key?: string | null | undefined;
}

/** An address that messages are forwarded to. */
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
  /** What a message has to meet. */
  conditions: ForwardRuleCondition[];
  /** Where messages are forwarded to. */
  destinations: ForwardRuleDestination[];
}

/** Parameters of `inbound.forwardRules.update`. Only what is given changes; a list replaces the one before. */
export interface ForwardRuleUpdateParams {
  /** Name of the rule. */
  name?: string | undefined;
  /** What a message has to meet. */
  conditions?: readonly ForwardRuleCondition[] | undefined;
  /** Where messages are forwarded to. */
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
