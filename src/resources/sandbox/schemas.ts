import * as z from 'zod';
import { issuesIn, keyed } from '../base/schema-issues.ts';
import type { SandboxResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';
import type { SandboxBlacklistReport, SandboxHtmlIssue } from './message-types.ts';

const permissions = z.looseObject({
  can_read: z.boolean(),
  can_update: z.boolean(),
  can_destroy: z.boolean(),
  can_leave: z.boolean(),
});

/** Accepts a value of a schema, or another value in its place. Unlike a union's, its issues name the wrong field. */
const orElse = <Schema extends z.ZodType, Other>(
  schema: Schema,
  isOther: (value: unknown) => value is Other,
) =>
  z.custom<z.output<Schema> | Other>().check(({ value, issues }) => {
    if (!isOther(value)) issues.push(...issuesIn(schema, value));
  });

/** A test inbox: the result of `sandbox.inboxes.create`, `get`, `update` and of the actions on an inbox. */
export const sandboxInbox = z.looseObject({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  password: z.string().nullable(),
  status: z.string(),
  email_username: z.string(),
  email_username_enabled: z.boolean(),
  used: z.boolean(),
  forward_from_email_address: z.string(),
  project_id: z.int(),
  domain: z.string(),
  pop3_domain: z.string(),
  email_domain: z.string(),
  api_domain: z.string().nullish(),
  smtp_ports: z.array(z.int()),
  pop3_ports: z.array(z.int()),
  sent_messages_count: z.int(),
  forwarded_messages_count: z.int(),
  emails_count: z.int(),
  emails_unread_count: z.int(),
  last_message_sent_at: z.string().nullish(),
  max_size: z.int(),
  max_message_size: z.int(),
  permissions,
}) satisfies SchemaFor<SandboxResponses['sandboxInbox']>;

/** The response of `sandbox.inboxes.list`. */
export const sandboxInboxList = z.array(sandboxInbox) satisfies SchemaFor<
  SandboxResponses['sandboxInboxList']
>;

/** A project: the result of `sandbox.projects.create`, `get` and `update`. */
export const sandboxProject = z.looseObject({
  id: z.int(),
  name: z.string(),
  share_links: z.looseObject({ admin: z.string(), viewer: z.string() }).optional(),
  inboxes: z.array(sandboxInbox),
  sandboxes: z.array(sandboxInbox).optional(),
  permissions,
}) satisfies SchemaFor<SandboxResponses['sandboxProject']>;

/** The response of `sandbox.projects.list`. */
export const sandboxProjectList = z.array(sandboxProject) satisfies SchemaFor<
  SandboxResponses['sandboxProjectList']
>;

const blacklistReport = z.looseObject({
  result: z.string(),
  domain: z.string().optional(),
  ip: z.string().optional(),
  report: z
    .array(z.looseObject({ name: z.string(), url: z.string(), in_black_list: z.boolean() }))
    .optional(),
}) satisfies SchemaOf<SandboxBlacklistReport>;

/** A message in a test inbox: the result of `sandbox.messages.get` and `markRead`. */
export const sandboxMessage = z.looseObject({
  id: z.int(),
  inbox_id: z.int(),
  sandbox_id: z.int().optional(),
  subject: z.string(),
  sent_at: z.string(),
  from_email: z.string(),
  from_name: z.string(),
  to_email: z.string(),
  to_name: z.string(),
  email_size: z.int(),
  is_read: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  template_id: z.int().nullish(),
  template_variables: z.record(z.string(), z.unknown()).nullish(),
  html_body_size: z.int(),
  text_body_size: z.int(),
  human_size: z.string(),
  html_path: z.string(),
  txt_path: z.string(),
  raw_path: z.string(),
  download_path: z.string(),
  html_source_path: z.string(),
  blacklists_report_info: orElse(blacklistReport, (value) => value === false),
  smtp_information: z.looseObject({
    ok: z.boolean(),
    data: z
      .looseObject({
        mail_from_addr: z.string(),
        rcpt_to_addrs: z.array(z.string()).optional(),
        client_ip: z.string(),
      })
      .optional(),
  }),
}) satisfies SchemaFor<SandboxResponses['sandboxMessage']>;

/** The response of `sandbox.messages.list`: one page. */
export const sandboxMessageList = z.array(sandboxMessage) satisfies SchemaFor<
  SandboxResponses['sandboxMessageList']
>;

/** The result of `sandbox.messages.forward`. */
export const sandboxForwardResult = z.looseObject({
  success: z.boolean().optional(),
  message: z.string(),
}) satisfies SchemaFor<SandboxResponses['sandboxForwardResult']>;

/** The result of `sandbox.messages.spamReport`. */
export const sandboxSpamReport = z.looseObject({
  ResponseCode: z.int(),
  ResponseMessage: z.string(),
  ResponseVersion: z.string(),
  Score: z.number(),
  Spam: z.boolean(),
  Threshold: z.number(),
  Details: z.array(
    z.looseObject({
      Pts: z.union([z.string(), z.number()]),
      RuleName: z.string(),
      Description: z.string(),
    }),
  ),
}) satisfies SchemaFor<SandboxResponses['sandboxSpamReport']>;

const htmlIssue = z.looseObject({
  error_line: z.int(),
  rule_name: z.string(),
  email_clients: z.looseObject({
    desktop: z.array(z.string()),
    mobile: z.array(z.string()),
    web: z.array(z.string()),
  }),
}) satisfies SchemaOf<SandboxHtmlIssue>;

/** The result of `sandbox.messages.htmlAnalysis`. */
export const sandboxHtmlAnalysis = z.looseObject({
  status: z.string(),
  success: z.boolean().optional(),
  errors: z.array(orElse(htmlIssue, (value) => typeof value === 'string')).optional(),
  msg: z.string().optional(),
}) satisfies SchemaFor<SandboxResponses['sandboxHtmlAnalysis']>;

/** The result of `sandbox.messages.headers`. */
export const sandboxMessageHeaders = keyed(z.string()) satisfies SchemaFor<
  SandboxResponses['sandboxMessageHeaders']
>;

/** A file attached to a message: the result of `sandbox.attachments.get`. */
export const sandboxAttachment = z.looseObject({
  id: z.int(),
  message_id: z.int(),
  filename: z.string(),
  attachment_type: z.string(),
  content_type: z.string(),
  content_id: z.string().nullish(),
  transfer_encoding: z.string().nullish(),
  attachment_size: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  attachment_human_size: z.string(),
  download_path: z.string(),
}) satisfies SchemaFor<SandboxResponses['sandboxAttachment']>;

/** The response of `sandbox.attachments.list`. */
export const sandboxAttachmentList = z.array(sandboxAttachment) satisfies SchemaFor<
  SandboxResponses['sandboxAttachmentList']
>;
