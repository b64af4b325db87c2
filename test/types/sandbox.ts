import type { ApiPromise, EmailPlatform, Pager } from 'email-platform';

export function right({ sandbox }: EmailPlatform, form: EmailPlatform.BodyForm): unknown[] {
  const { projects, inboxes, messages, attachments } = sandbox;
  const all: Pager<EmailPlatform.SandboxProject> = projects.list({ priority: 'low' });
  const project: ApiPromise<EmailPlatform.SandboxProject> = projects.update(1, { name: 'Shop' });
  const gone: ApiPromise<{ id: number }> = projects.delete(1);
  const inbox: ApiPromise<EmailPlatform.SandboxInbox> = inboxes.create(1, { name: 'Signup', project_id: 1 });
  const changed: ApiPromise<EmailPlatform.SandboxInbox> = inboxes.update(1, { email_username: 'signup' });
  const cleaned: ApiPromise<EmailPlatform.SandboxInbox> = inboxes.clean(1, { accountId: 7 });
  const list: Pager<EmailPlatform.SandboxMessage> = messages.list(1, { search: 'x', last_id: 5, page: 2 });
  const marked: ApiPromise<EmailPlatform.SandboxMessage> = messages.markRead(1, 2);
  const unmarked: ApiPromise<EmailPlatform.SandboxMessage> = messages.markRead(1, 2, { is_read: false });
  const forwarded: ApiPromise<EmailPlatform.SandboxForwardResult> = messages.forward(1, 2, {
    email: 'a@b.c',
  });
  const spam: ApiPromise<EmailPlatform.SandboxSpamReport> = messages.spamReport(1, 2);
  const analysis: ApiPromise<EmailPlatform.SandboxHtmlAnalysis> = messages.htmlAnalysis(1, 2);
  const headers: ApiPromise<EmailPlatform.SandboxMessageHeaders> = messages.headers(1, 2);
  const text: ApiPromise<string> = messages.text(1, 2);
  const html: ApiPromise<string> = messages.html(1, 2, { timeoutMs: 500 });
  const bytes: ApiPromise<Uint8Array> = messages.htmlSource(1, 2, { as: 'bytes' });
  const stream: ApiPromise<ReadableStream<Uint8Array>> = messages.raw(1, 2, { as: 'stream' });
  const eml: ApiPromise<Uint8Array> = messages.eml(1, 2);
  const any: ApiPromise<string | Uint8Array | ReadableStream<Uint8Array>> = messages.eml(1, 2, { as: form });
  const awaited: Promise<EmailPlatform.SandboxMessage> = messages.waitFor(
    { inbox: 1, to: 'a@b.c', subject: 'Confirm', after: new Date() },
    { deadlineMs: 30_000, pollMs: 500, onProgress: (found) => found?.subject },
  );
  const files: Pager<EmailPlatform.SandboxAttachment> = attachments.list(1, 2, { attachment_type: 'inline' });
  const file: ApiPromise<EmailPlatform.SandboxAttachment> = attachments.get(1, 2, 3);
  const content: ApiPromise<Uint8Array> = attachments.download({ download_path: '/x' });
  const written: ApiPromise<string> = attachments.download({ download_path: '/x' }, { as: 'text' });
  return [
    [all, project, gone, inbox, changed, cleaned, list, marked, unmarked, forwarded, spam, analysis, headers],
    [text, html, bytes, stream, eml, any, awaited, files, file, content, written],
  ];
}

export function missingAtTimes(
  message: EmailPlatform.SandboxMessage,
  file: EmailPlatform.SandboxAttachment,
  { errors = [] }: EmailPlatform.SandboxHtmlAnalysis,
): unknown[] {
  const report = message.blacklists_report_info;
  const result: string | false = report && report.result;
  const recipients: string[] | undefined = message.smtp_information.data?.rcpt_to_addrs;
  const lines = errors.map((issue) => (typeof issue === 'string' ? 0 : issue.error_line));
  // @ts-expect-error there may be no report
  const certain: EmailPlatform.SandboxBlacklistReport = report;
  // @ts-expect-error the encoding may be missing
  const encoding: string = file.transfer_encoding;
  return [result, recipients, lines, certain, encoding];
}

export const wrong = ({ sandbox }: EmailPlatform, file: EmailPlatform.SandboxAttachment): unknown[] => [
  // @ts-expect-error a project has a name
  sandbox.projects.create({}),
  // @ts-expect-error an inbox is made in a project
  sandbox.inboxes.create({ name: 'Signup' }),
  // @ts-expect-error credentials cannot be chosen
  sandbox.inboxes.update(1, { password: 'x' }),
  // @ts-expect-error a message is in an inbox
  sandbox.messages.get(5),
  // @ts-expect-error an id is a number
  sandbox.messages.list(1, { last_id: '5' }),
  // @ts-expect-error a page is a number
  sandbox.messages.list(1, { page: '2' }),
  // @ts-expect-error a project is known by its id
  sandbox.inboxes.create(1, { name: 'Signup', project_id: 'Shop' }),
  // @ts-expect-error the mark has a value
  sandbox.messages.markRead(1, 2, {}),
  // @ts-expect-error text is no bytes
  sandbox.messages.text(1, 2) satisfies ApiPromise<Uint8Array>,
  // @ts-expect-error there is no such form
  sandbox.messages.text(1, 2, { as: 'blob' }),
  // @ts-expect-error the inbox is required
  sandbox.messages.waitFor({ to: 'a@b.c' }),
  // @ts-expect-error a subject is a text
  sandbox.messages.waitFor({ inbox: 1, subject: /Confirm/ }),
  // @ts-expect-error not by ids: it takes the attachment
  sandbox.attachments.download(1, 2, 3),
  // @ts-expect-error bytes are no text
  sandbox.attachments.download(file) satisfies ApiPromise<string>,
  // @ts-expect-error the password may be hidden
  ({} as EmailPlatform.SandboxInbox).password.length,
];
