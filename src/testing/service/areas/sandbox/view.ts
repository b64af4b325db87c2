import { fromBase64 } from '../../../encoding/base64.ts';
import { iso, isoOrNull } from '../../../encoding/iso.ts';
import type { Exchange, Form } from '../../routing/route.ts';
import { allows } from '../../state/account/tokens.ts';
import type { Address, EmulatorAttachment } from '../../state/emails/mail.ts';
import type { World } from '../../state/world.ts';
import type { CapturedRecord, InboxRecord, InboxStore, ProjectRecord } from '../../state/inboxes/sandbox.ts';

/** The context of a view: the token, the form of the path and the settings. */
export interface ViewContext {
  readonly form: Form;
  readonly accountId: number;
  /** Whether the token may make changes. */
  readonly isAdmin: boolean;
  readonly maxSize: number;
  readonly maxMailBytes: number;
  readonly hasBlacklistReport: boolean;
}

/** The context of the views in the response to a request. */
export const contextOf = (
  { form, token }: Exchange,
  { sandbox, sending }: World['settings'],
): ViewContext => ({
  form,
  accountId: token.accountId,
  isAdmin: allows(token, 'sandbox', 'admin'),
  maxSize: sandbox.maxSize,
  maxMailBytes: sending.maxMailBytes,
  hasBlacklistReport: sandbox.blacklistReport === 'report',
});

const permissionsOf = (isAdmin: boolean) => ({
  can_read: true,
  can_update: isAdmin,
  can_destroy: isAdmin,
  can_leave: isAdmin,
});

/** A project with its inboxes, whose key depends on the form of the path. */
export function projectView(
  project: ProjectRecord,
  store: InboxStore,
  context: ViewContext,
): Record<string, unknown> {
  const { id, name, shareKey } = project;
  const link = (role: string) => `https://share.example.com/projects/${id}/${role}/${shareKey}`;
  return {
    id,
    name,
    ...(context.isAdmin && { share_links: { admin: link('admin'), viewer: link('viewer') } }),
    [context.form === 'account' ? 'inboxes' : 'sandboxes']: store
      .within(project)
      .map((inbox) => inboxView(inbox, store, context)),
    permissions: permissionsOf(context.isAdmin),
  };
}

/** A test inbox. Only an admin sees its password. */
export function inboxView(
  inbox: InboxRecord,
  store: InboxStore,
  context: ViewContext,
): Record<string, unknown> {
  const messages = [...store.messagesOf(inbox).values()];
  return {
    id: inbox.id,
    name: inbox.name,
    username: inbox.username,
    password: context.isAdmin ? inbox.password : null,
    max_size: context.maxSize,
    status: 'active',
    email_username: inbox.emailUsername,
    email_username_enabled: inbox.hasAddress,
    sent_messages_count: inbox.sentCount,
    forwarded_messages_count: inbox.forwardedCount,
    used: inbox.sentCount > 0,
    forward_from_email_address: `a${inbox.accountId}-i${inbox.id}@forward.example.com`,
    project_id: inbox.projectId,
    domain: 'sandbox.smtp.example.com',
    pop3_domain: 'pop3.example.com',
    email_domain: 'inbox.example.com',
    api_domain: 'sandbox.api.example.com',
    smtp_ports: [25, 465, 587, 2525],
    pop3_ports: [1100, 9950],
    emails_count: messages.length,
    emails_unread_count: messages.filter(({ isRead }) => !isRead).length,
    last_message_sent_at: isoOrNull(inbox.lastMessageAt),
    max_message_size: context.maxMailBytes,
    permissions: permissionsOf(context.isAdmin),
  };
}

const byteLength = (text: string | null) => new TextEncoder().encode(text ?? '').length;
const addressesOf = (addresses: readonly Address[]) => addresses.map(({ email }) => email).join(', ');
const namesOf = (addresses: readonly Address[]) =>
  addresses.flatMap(({ name }) => (name === null ? [] : [name])).join(', ');

/** The addresses and the names in `To`, for the view of a message and for a search. */
export const recipientsOf = ({ mail: { to } }: CapturedRecord) => ({
  to_email: addressesOf(to),
  to_name: namesOf(to),
});

/** A readable size, such as `1.5 KB`. */
function humanSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 Byte' : `${bytes} Bytes`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** A message. The key of its inbox, and the paths of its parts, depend on the form of the path. */
export function messageView(
  message: CapturedRecord,
  store: InboxStore,
  { form, accountId, hasBlacklistReport }: ViewContext,
) {
  const { id, inboxId, mail, at } = message;
  const inbox = form === 'account' ? `/api/accounts/${accountId}/inboxes` : '/api/sandboxes';
  const body = `${inbox}/${inboxId}/messages/${id}/body`;
  const size = store.rawOf(message).length;
  return {
    id,
    [form === 'account' ? 'inbox_id' : 'sandbox_id']: inboxId,
    subject: mail.subject,
    sent_at: iso(at),
    from_email: mail.from.email,
    from_name: mail.from.name ?? '',
    ...recipientsOf(message),
    email_size: size,
    is_read: message.isRead,
    created_at: iso(at),
    updated_at: iso(message.updatedAt),
    template_id: mail.templateId,
    template_variables: mail.templateVariables,
    html_body_size: byteLength(mail.html),
    text_body_size: byteLength(mail.text),
    human_size: humanSize(size),
    html_path: `${body}.html`,
    txt_path: `${body}.txt`,
    raw_path: `${body}.raw`,
    download_path: `${body}.eml`,
    html_source_path: `${body}.htmlsource`,
    blacklists_report_info: hasBlacklistReport && {
      result: 'success',
      domain: mail.from.email.slice(mail.from.email.lastIndexOf('@') + 1),
      ip: '203.0.113.5',
      report: [],
    },
    // The message did not arrive by SMTP.
    smtp_information: { ok: false },
  };
}

/** An attachment, the `number`-th of its message. */
export function attachmentView(
  { id: messageId, at }: CapturedRecord,
  attachment: EmulatorAttachment,
  id: number,
  downloadPath: string,
) {
  const size = fromBase64(attachment.content).length;
  return {
    id,
    message_id: messageId,
    filename: attachment.filename,
    attachment_type: attachment.disposition,
    content_type: attachment.type,
    content_id: attachment.contentId ?? '',
    transfer_encoding: 'base64',
    attachment_size: size,
    created_at: iso(at),
    updated_at: iso(at),
    attachment_human_size: humanSize(size),
    download_path: downloadPath,
  };
}
