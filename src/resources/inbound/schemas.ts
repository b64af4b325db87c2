import * as z from 'zod';
import type {
  InboundAttachment,
  InboundForward,
  InboundMessage,
  InboundThreadMessage,
  InboundThreadSummary,
} from './mail-types.ts';
import type { InboundResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

/** A folder of inboxes: the result of `inbound.folders.create`, `get` and `update`. */
export const inboundFolder = z.looseObject({
  id: z.int(),
  name: z.string(),
}) satisfies SchemaFor<InboundResponses['inboundFolder']>;

/** The response of `inbound.folders.list`. */
export const inboundFolderList = z.array(inboundFolder) satisfies SchemaFor<
  InboundResponses['inboundFolderList']
>;

/** An inbox: the result of `inbound.inboxes.create`, `get` and `update`. */
export const inboundInbox = z.looseObject({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  domain_id: z.int().nullish(),
}) satisfies SchemaFor<InboundResponses['inboundInbox']>;

/** The response of `inbound.inboxes.list`. */
export const inboundInboxList = z.array(inboundInbox) satisfies SchemaFor<
  InboundResponses['inboundInboxList']
>;

const attachment = z.looseObject({
  attachment_id: z.string(),
  size: z.int().nullable(),
  filename: z.string().nullable(),
  content_type: z.string().nullable(),
  content_disposition: z.string().nullable(),
  content_id: z.string().nullish(),
  download_url: z.string().nullish(),
  download_url_expires_at: z.string().nullish(),
}) satisfies SchemaOf<InboundAttachment>;

const forward = z.looseObject({
  rule_id: z.int(),
  rule_name: z.string().nullable(),
  destination: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  message_id: z.string().nullable(),
}) satisfies SchemaOf<InboundForward>;

const nullableText = z.string().nullable();
const addresses = z.array(z.string());

/** A received message, as `inbound.messages.list` returns it. */
export const inboundMessage = z.looseObject({
  id: z.string(),
  inbox_id: z.int(),
  from: nullableText,
  to: addresses,
  cc: addresses.nullish(),
  bcc: addresses.nullish(),
  reply_to: nullableText.optional(),
  subject: nullableText,
  rfc_message_id: z.string().nullish(),
  in_reply_to: nullableText.optional(),
  references: z.array(z.string()).nullish(),
  headers: z.record(z.string(), z.unknown()).nullish(),
  size: z.int().nullable(),
  html_size: z.int().nullable(),
  text_size: z.int().nullable(),
  received_at: z.string(),
  thread_id: nullableText,
  attachments: z.array(attachment),
  forwards: z.array(forward).optional(),
}) satisfies SchemaOf<InboundMessage>;

/** A message with its bodies: the result of `inbound.messages.get`. */
export const inboundMessageDetails = inboundMessage.extend({
  html_body: z.string().nullable(),
  text_body: z.string().nullable(),
  raw_message_url: z.string().nullable(),
  raw_message_expires_at: z.string().nullable(),
}) satisfies SchemaFor<InboundResponses['inboundMessageDetails']>;

/** The response of `inbound.messages.list`: one page. */
export const inboundMessagePage = z.looseObject({
  data: z.array(inboundMessage),
  total_count: z.int(),
  last_id: z.string().nullable(),
}) satisfies SchemaFor<InboundResponses['inboundMessagePage']>;

/** The response of `inbound.messages.reply`, `replyAll` and `forward`. */
export const inboundSendResult = z.looseObject({
  message_ids: z.array(z.string()),
}) satisfies SchemaFor<InboundResponses['inboundSendResult']>;

/** A thread, as `inbound.threads.list` returns it. */
export const inboundThreadSummary = z.looseObject({
  id: z.string(),
  subject: z.string().nullable(),
  message_count: z.int(),
  size: z.int(),
  first_message_at: z.string(),
  last_received_at: z.string().nullable(),
  last_sent_at: z.string().nullable(),
  last_activity_at: z.string(),
  last_message_id: z.string().nullable(),
  senders: z.array(z.string()),
  recipients: z.array(z.string()),
  attachments: z.array(attachment).nullish(),
}) satisfies SchemaOf<InboundThreadSummary>;

const text = z.string().nullish();
const texts = z.array(z.string()).optional();

const threadMessage = z.looseObject({
  visibility_status: z.string(),
  direction: z.string(),
  id: z.string().optional(),
  message_group_id: text,
  subject: text,
  rfc_message_id: text,
  in_reply_to: text,
  references: texts,
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  reply_to: text,
  created_at: z.string().optional(),
  email_size: z.int().nullish(),
  text_body: text,
  html_body: text,
  attachments: z.array(attachment).optional(),
  delivery: z
    .looseObject({ to: z.string(), status: z.string(), delivered_at: text, bounced_at: text })
    .nullish(),
  delivery_status: text,
  delivered_at: text,
  bounced_at: text,
  forwards: z.array(forward).nullish(),
}) satisfies SchemaOf<InboundThreadMessage>;

/** A thread with its messages: the result of `inbound.threads.get`. */
export const inboundThread = inboundThreadSummary.extend({
  messages: z.array(threadMessage),
}) satisfies SchemaFor<InboundResponses['inboundThread']>;

/** The response of `inbound.threads.list`: one page. */
export const inboundThreadPage = z.looseObject({
  data: z.array(inboundThreadSummary),
  total_count: z.int(),
  last_id: z.string().nullable(),
}) satisfies SchemaFor<InboundResponses['inboundThreadPage']>;

/** A forward rule: the result of `inbound.forwardRules.create`, `get` and `update`. */
export const forwardRule = z.looseObject({
  id: z.int(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  conditions: z.array(
    z.looseObject({
      match_type: z.string(),
      operator: z.string(),
      value: z.string().nullish(),
      header_key: z.string().nullish(),
    }),
  ),
  destinations: z.array(z.looseObject({ email: z.string() })),
}) satisfies SchemaFor<InboundResponses['forwardRule']>;

/** The response of `inbound.forwardRules.list`. */
export const forwardRulePage = z.looseObject({
  data: z.array(forwardRule),
}) satisfies SchemaFor<InboundResponses['forwardRulePage']>;
