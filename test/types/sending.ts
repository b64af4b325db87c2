import type {
  ApiPromise,
  BatchRun,
  BatchTotals,
  BatchOutcome,
  BatchRequest,
  BatchResult,
  EmailPlatform,
  EmailPlatformError,
  OwnEmail,
  SendParams,
  StoredMail,
  SendResult,
  TemplateEmail,
} from 'email-platform';
import type { Same } from './same.ts';

const from = { email: 'hello@example.com', name: 'Hello' };
const to = [{ email: 'ann@example.org' }];
const template_uuid = 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77';

export const mails: SendParams[] = [
  { from, to, subject: 'Hi', text: 'Hi' },
  { from, to: [], cc: to, subject: 'Hi', html: '<p>Hi</p>', category: 'hello' },
  {
    from,
    to: [],
    bcc: to,
    subject: 'Hi',
    text: 'Hi',
    html: '<p>Hi</p>',
    custom_variables: { n: 1, ok: true, s: '' },
  },
  { from, to, template_uuid },
  // The check before the request refuses an email without a body.
  { from, to, subject: 'Hi' },
  { from, to, template_uuid, template_variables: { name: 'Ann', items: [{ n: 1 }] }, reply_to: from },
  {
    from,
    to,
    subject: 'Hi',
    text: 'Hi',
    html: undefined,
    cc: undefined,
    headers: { 'X-A': 'b', 'X-B': undefined },
  },
];

export const storedMails: StoredMail[] = [
  { from, to, subject: 'Hi', text: 'Hi', attachments: [{ filename: 'a', content: 'AAAA' }] },
  { from, to, template_uuid },
  // @ts-expect-error JSON keeps no bytes
  { from, to, subject: 'Hi', text: 'Hi', attachments: [{ filename: 'a', content: new Uint8Array(1) }] },
  // @ts-expect-error a template brings its subject
  { from, to, template_uuid, subject: 'Hi' },
];
export const fromStore: SendParams[] = storedMails;

export const wrongMails: SendParams[] = [
  // @ts-expect-error no recipient
  { from, subject: 'Hi', text: 'Hi' },
  // @ts-expect-error recipients in bcc only are written with `to: []`
  { from, bcc: to, subject: 'Hi', text: 'Hi' },
  // @ts-expect-error there may be no first one
  { from, to: to[0], subject: 'Hi', text: 'Hi' },
  // @ts-expect-error the sender is one address
  { from: [from], to, subject: 'Hi', text: 'Hi' },
  // @ts-expect-error an address is text or an object
  { from, to: [7], subject: 'Hi', text: 'Hi' },
  // @ts-expect-error there is no subject
  { from, to, text: 'Hi' },
  // @ts-expect-error a template brings its subject
  { from, to, template_uuid, subject: 'Hi' },
  // @ts-expect-error a template brings its text
  { from, to, template_uuid, text: 'Hi' },
  // @ts-expect-error a template brings its HTML
  { from, to, template_uuid, html: '<p>Hi</p>' },
  // @ts-expect-error an email from a template has no category
  { from, to, template_uuid, category: 'hello' },
  // @ts-expect-error a template cannot be combined with own content
  { from, to, template_uuid, subject: 'Hi', text: 'Hi' },
  // @ts-expect-error variables without a template
  { from, to, subject: 'Hi', text: 'Hi', template_variables: {} },
  // @ts-expect-error no such field
  { from, to, subject: 'Hi', text: 'Hi', replyTo: from },
  // @ts-expect-error plain values only
  { from, to, subject: 'Hi', text: 'Hi', custom_variables: { deep: {} } },
  // @ts-expect-error header values are strings
  { from, to, subject: 'Hi', text: 'Hi', headers: { 'X-A': 1 } },
];

export const attachments = (stream: ReadableStream<Uint8Array>): EmailPlatform.Attachment[] => [
  { filename: 'a', content: 'aGk=' },
  { filename: 'a', content: new Uint8Array(1), type: 'text/plain', disposition: 'inline', content_id: 'a' },
  { filename: 'a', content: new ArrayBuffer(1) },
  { filename: 'a', content: new Blob([]) },
  { filename: 'a', content: new File([], 'a') },
  { filename: 'a', content: stream },
  // @ts-expect-error there is no name
  { content: 'aGk=' },
  // @ts-expect-error there is no content
  { filename: 'a' },
  // @ts-expect-error bytes come as Uint8Array
  { filename: 'a', content: [1, 2] },
  // @ts-expect-error a disposition is attachment or inline
  { filename: 'a', content: 'aGk=', disposition: 'hidden' },
];

export async function results(client: EmailPlatform): Promise<unknown[]> {
  const { sending } = client;
  const mail: SendParams = { from, to, subject: 'Hi', text: 'Hi' };
  const sent = await sending.send(mail, { stream: 'bulk', timeoutMs: 1, signal: AbortSignal.timeout(1) });
  const batch = await sending.batch({ requests: [{ to }] }, { stream: 'sandbox', sandboxInboxId: 1 });
  const checks: [
    Same<ReturnType<typeof sending.send>, ApiPromise<SendResult>>,
    Same<typeof sent.message_ids, string[]>,
    Same<typeof sent.success, true>,
    Same<typeof batch, BatchResult>,
  ] = [true, true, true, true];
  const ids: string[] | undefined = batch.responses[0]?.message_ids;
  // @ts-expect-error no such stream
  await sending.send(mail, { stream: 'fast' });
  // @ts-expect-error an id is a number
  await sending.send(mail, { sandboxInboxId: '1' });
  // @ts-expect-error no such option
  await sending.send(mail, { concurrency: 2 });
  await sending.send(mail, { repeatable: true });
  // @ts-expect-error a batch is never sent twice
  await sending.batch({ requests: [mail] }, { repeatable: true });
  // @ts-expect-error and nor are those of a run
  void sending.batchAll([mail], { repeatable: true });
  // @ts-expect-error options of a call are not parameters
  await sending.send({ ...mail, stream: 'bulk' });
  return [...checks, ids];
}

export async function batches(client: EmailPlatform): Promise<void> {
  const { sending } = client;
  await sending.batch({
    base: { from, subject: 'Hi', text: 'Hi' },
    requests: [{ to }, { to: [], cc: to, text: 'Ho' }],
  });
  await sending.batch({
    base: { from, template_uuid },
    requests: [{ to, template_variables: {}, template_uuid }],
  });
  // One template for all emails, with variables for each.
  await sending.batch({
    base: { from, template_uuid },
    requests: [{ to, template_variables: { name: 'Ann' } }],
  });
  // @ts-expect-error a base has no recipients
  await sending.batch({ base: { from, to }, requests: [{ to }] });
  // @ts-expect-error a template brings its subject
  await sending.batch({ base: { template_uuid, subject: 'Hi' }, requests: [{ to }] });
  // @ts-expect-error an email from a template has no category, nor has the base of several
  await sending.batch({ base: { template_uuid, category: 'hello' }, requests: [{ to }] });
  // @ts-expect-error an email from a template has no category
  await sending.batch({ base: { from }, requests: [{ to, template_uuid, category: 'hello' }] });
  // @ts-expect-error an email needs recipients
  await sending.batch({ requests: [{ subject: 'Hi' }] });
  // @ts-expect-error there are no emails
  await sending.batch({ base: { from } });
}

export async function runs(client: EmailPlatform, many: AsyncIterable<BatchRequest>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const onProgress = ({ done, calls }: { done: number; calls: number }) => void seen.push(done / calls);
  for await (const outcome of client.sending.batchAll(many, { base: { from }, concurrency: 2, onProgress })) {
    const same: Same<typeof outcome, BatchOutcome> = true;
    const { index, request, message_ids, errors, error } = outcome;
    seen.push(same, index, request.to, message_ids?.length, errors?.length, error?.code);
    if (outcome.status === 'accepted') {
      const ids: string[] = outcome.message_ids;
      // @ts-expect-error accepted emails have no error
      const { code }: EmailPlatformError = outcome.error;
      seen.push(ids, code);
    } else if (outcome.status === 'rejected') {
      const reasons: string[] = outcome.errors;
      seen.push(reasons);
    } else {
      const failure: EmailPlatformError = outcome.error;
      seen.push(failure);
    }
  }
  void client.sending.batchAll([{ to }]);
  void client.sending.batchAll(new Set([{ to }]));
  // @ts-expect-error that is not an email
  void client.sending.batchAll(['ann@example.org']);
  // @ts-expect-error not iterable
  void client.sending.batchAll({ requests: [{ to }] });
  // Lint must report a run that is neither iterated nor awaited. It fails without the directive, and if the rule reports
  // nothing here, the directive is unused and fails as well.
  // oxlint-disable-next-line typescript/no-floating-promises
  client.sending.batchAll([{ to }]);
  return seen;
}

declare const html: string | undefined;

export const asText: SendParams[] = [
  {
    from: 'Hello <hello@example.com>',
    to: ['ann@example.org', { email: 'ben@example.org' }],
    subject: 'Hi',
    text: 'Hi',
  },
  // The client's defaults may have the sender.
  { to: ['ann@example.org'], reply_to: 'help@example.com', subject: 'Hi', text: 'Hi', html },
  // One recipient needs no list.
  { to: 'Ann <ann@example.org>', subject: 'Hi', text: 'Hi' },
  { to: [], cc: { email: 'ann@example.org', name: 'Ann' }, bcc: 'ben@example.org', template_uuid },
];

export function fromUs(
  client: EmailPlatform,
  mail: Omit<OwnEmail, 'from' | 'custom_variables'> | Omit<TemplateEmail, 'from' | 'custom_variables'>,
): ApiPromise<SendResult> {
  return client.sending.send({ ...mail, from, custom_variables: { ours: true } });
}

export function mailsFromUs(client: EmailPlatform): void {
  void fromUs(client, { to, subject: 'Hi', text: 'Hi' });
  void fromUs(client, { to: [], bcc: to, template_uuid });
  // @ts-expect-error there is no subject
  void fromUs(client, { to, text: 'Hi' });
  // @ts-expect-error the function adds the sender
  void fromUs(client, { from, to, subject: 'Hi', text: 'Hi' });
}

/** Functions that applications write: each compiles as it is. */
export const wrappers = (client: EmailPlatform) => ({
  withSender: (mail: { to: string; subject: string; text?: string; html?: string }) =>
    client.sending.send({ from, ...mail }),
  ofHtml: (mail: { to: string; subject: string; html: string; text?: string }) =>
    client.sending.send({ ...mail, from }),
  own: (mail: Omit<OwnEmail, 'from'>) => client.sending.send({ ...mail, from }),
  fromTemplate: (mail: Omit<TemplateEmail, 'from' | 'template_uuid'>) =>
    client.sending.send({ ...mail, from, template_uuid }),
  again: (mail: SendParams) => client.sending.send({ ...mail, from: undefined }),
  oneOfBatch: (mail: { to: string[]; subject?: string }) => client.sending.batch({ requests: [mail] }),
  toEach: (emails: string[], mail: Omit<OwnEmail, 'to'>) =>
    client.sending.batchAll(emails.map((to) => ({ ...mail, to }))),
});

export async function batchOfRows(client: EmailPlatform): Promise<void> {
  const rows = [{ to: ['ann@example.org'], template_variables: { line: 1 } }];
  const run: BatchRun<(typeof rows)[number]> = client.sending.batchAll(rows, { base: { template_uuid } });
  for await (const { request } of run) {
    const line: number | undefined = request.template_variables.line;
    if (line > 10) run.stop();
  }
  // @ts-expect-error an email has no such address
  void client.sending.batchAll([{ to: [7] }]);
}

export async function totalsOfRows(client: EmailPlatform): Promise<unknown[]> {
  const rows = [{ to: ['ann@example.org'], template_variables: { line: 1 } }];
  const totals = await client.sending.batchAll(rows, { base: { template_uuid } });
  const same: Same<typeof totals, BatchTotals<(typeof rows)[number]>> = true;
  const { accepted, rejected, not_sent, key_reused, unknown, in_progress, failed, retryAfterMs } = totals;
  const seen: unknown[] = [same, accepted + rejected + not_sent + key_reused + unknown + in_progress];
  const milliseconds: number | undefined = retryAfterMs;
  for (const { request, status } of failed) {
    const line: number | undefined = request.template_variables.line;
    // @ts-expect-error what was accepted has not failed
    seen.push(line, status === 'accepted');
  }
  const returned = async () => client.sending.batchAll(rows);
  // An async function that returns a run awaits it.
  const ofFunction: Same<Awaited<ReturnType<typeof returned>>, typeof totals> = true;
  return [...seen, ofFunction, milliseconds];
}
