import type { EmailPlatform } from 'email-platform';
import type { Full } from './examples.ts';

const at = '2026-03-01T12:00:00.000Z';
const permissions = { can_read: true, can_update: true, can_destroy: true, can_leave: false };

const sandboxInbox: Full<EmailPlatform.SandboxInbox> = {
  id: 11,
  name: 'Signup',
  username: 'a1b2c3',
  password: 'd4e5f6',
  status: 'active',
  email_username: 'signup-1a2b3c',
  email_username_enabled: true,
  used: true,
  forward_from_email_address: 'a7-i11@forward.example.com',
  project_id: 12,
  domain: 'smtp.example.com',
  pop3_domain: 'pop3.example.com',
  email_domain: 'inbox.example.com',
  api_domain: 'api.example.com',
  smtp_ports: [25, 2525],
  pop3_ports: [1100],
  sent_messages_count: 3,
  forwarded_messages_count: 1,
  emails_count: 2,
  emails_unread_count: 1,
  last_message_sent_at: at,
  max_size: 100,
  max_message_size: 5_242_880,
  permissions,
};

const sandboxProject: Full<EmailPlatform.SandboxProject> = {
  id: 12,
  name: 'The shop',
  share_links: { admin: 'https://share.example.com/a', viewer: 'https://share.example.com/v' },
  inboxes: [sandboxInbox],
  sandboxes: [sandboxInbox],
  permissions,
};

const sandboxMessage: Full<EmailPlatform.SandboxMessage> = {
  id: 4_967_738_534,
  inbox_id: 11,
  sandbox_id: 11,
  subject: 'Confirm your address',
  sent_at: at,
  from_email: 'hello@mail.example.com',
  from_name: 'The Shop',
  to_email: 'ann@example.org',
  to_name: '',
  email_size: 900,
  is_read: false,
  created_at: at,
  updated_at: at,
  template_id: 3,
  template_variables: { name: 'Ann' },
  html_body_size: 300,
  text_body_size: 200,
  human_size: '900 Bytes',
  html_path: '/api/sandboxes/11/messages/4967738534/body.html',
  txt_path: '/api/sandboxes/11/messages/4967738534/body.txt',
  raw_path: '/api/sandboxes/11/messages/4967738534/body.raw',
  download_path: '/api/sandboxes/11/messages/4967738534/body.eml',
  html_source_path: '/api/sandboxes/11/messages/4967738534/body.htmlsource',
  blacklists_report_info: {
    result: 'success',
    domain: 'mail.example.com',
    ip: '203.0.113.5',
    report: [{ name: 'A LIST', url: 'https://list.example.com', in_black_list: false }],
  },
  smtp_information: {
    ok: true,
    data: {
      mail_from_addr: 'a@example.com',
      rcpt_to_addrs: ['ann@example.org'],
      client_ip: '203.0.113.6',
    },
  },
};

const sandboxAttachment: Full<EmailPlatform.SandboxAttachment> = {
  id: 67,
  message_id: sandboxMessage.id,
  filename: 'terms.pdf',
  attachment_type: 'attachment',
  content_type: 'application/pdf',
  content_id: 'terms',
  transfer_encoding: 'base64',
  attachment_size: 1234,
  created_at: at,
  updated_at: at,
  attachment_human_size: '1.2 KB',
  download_path: '/api/testing_message_parts/0123456789abcdef/download',
};

const sandboxSpamReport: Full<EmailPlatform.SandboxSpamReport> = {
  ResponseCode: 2,
  ResponseMessage: 'Not spam',
  ResponseVersion: '1.2',
  Score: 0.7,
  Spam: false,
  Threshold: 5,
  Details: [{ Pts: '0.7', RuleName: 'MIME_HTML_ONLY', Description: 'Message only has HTML' }],
};

/** A response for every schema of the sandbox. */
export const sandboxExamples = {
  sandboxAttachment,
  sandboxAttachmentList: [sandboxAttachment],
  sandboxForwardResult: {
    success: true,
    message: 'Forwarded',
  } satisfies Full<EmailPlatform.SandboxForwardResult>,
  sandboxHtmlAnalysis: {
    status: 'success',
    success: true,
    errors: [
      { error_line: 3, rule_name: 'style', email_clients: { desktop: ['A'], mobile: ['B'], web: ['C'] } },
    ],
    msg: 'None',
  } satisfies Full<EmailPlatform.SandboxHtmlAnalysis>,
  sandboxInbox,
  sandboxInboxList: [sandboxInbox],
  sandboxMessage,
  sandboxMessageHeaders: { subject: 'Confirm your address', mime_version: '1.0' },
  sandboxMessageList: [sandboxMessage],
  sandboxProject,
  sandboxProjectList: [sandboxProject],
  sandboxSpamReport,
};
