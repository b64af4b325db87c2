/** A common wrong program. */
export interface WrongProgram {
  /** The name that the error has to contain: a field, an argument or a method. */
  readonly name: string;
  readonly program: string;
  /** The error that the call throws; absent if the compiler's error contains the name. */
  readonly thrown?: string;
}

/** The values of the programs. */
export const VALUES = `
const from = 'hello@mail.example.com';
const to = 'ann@example.org';
const subject = 'Hi';
const text = 'Hi.';
const template_uuid = 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77';
const mail = { from, to, subject, text };
const days = { start_date: '2026-01-01', end_date: '2026-01-31' };`;

const PREAMBLE = `import { EmailPlatform, type SendParams } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
declare const client: EmailPlatform;${VALUES}`;

const PROGRAMS: readonly (readonly [name: string, program: string, thrown?: string])[] = [
  // An email: missing, misspelt and wrong fields.
  ['to', 'client.sending.send({ from, subject, text })'],
  ['to', 'client.sending.send({ from, template_uuid })'],
  ['to', 'client.sending.send({ from, bcc: to, subject, text })'],
  ['subject', 'client.sending.send({ from, to, text })'],
  ['template_uuid', 'client.sending.send({ from, to, subject, text, template_uuid })'],
  ['subject', 'client.sending.send({ from, to, template_uuid, subject })'],
  ['text', 'client.sending.send({ from, to, template_uuid, text })'],
  ['category', "client.sending.send({ from, to, template_uuid, category: 'news' })"],
  ['template_variables', 'client.sending.send({ ...mail, template_variables: {} })'],
  ['replyTo', "client.sending.send({ ...mail, replyTo: 'help@example.com' })"],
  ['subjet', "client.sending.send({ from, to, subjet: 'Hi', text })"],
  ['body', "client.sending.send({ from, to, subject, body: 'Hi.' })"],
  ['templateId', "client.sending.send({ from, to, templateId: 'welcome' })"],
  ['react', 'client.sending.send({ from, to, subject, react: {} })'],
  ['tags', "client.sending.send({ ...mail, tags: ['news'] })"],
  ['text', 'client.sending.send({ from, to, subject, text: 7 })'],
  ['to', 'client.sending.send({ from, to: [7], subject, text })'],
  ['address', 'client.sending.send({ from, to: { address: to }, subject, text })'],
  ['from', 'client.sending.send({ from: [from], to, subject, text })'],
  ['X-Count', "client.sending.send({ ...mail, headers: { 'X-Count': 1 } })"],
  ['order', 'client.sending.send({ ...mail, custom_variables: { order: { id: 7 } } })'],
  ['filename', "client.sending.send({ ...mail, attachments: [{ content: 'aGk=' }] })"],
  ['path', "client.sending.send({ ...mail, attachments: [{ filename: 'a.txt', path: './a.txt' }] })"],
  ['content', "client.sending.send({ ...mail, attachments: [{ filename: 'a.txt', content: [1, 2] }] })"],
  ['filename', "client.sending.send({ ...mail, attachments: { filename: 'a.txt', content: 'aGk=' } })"],
  ['stream', "client.sending.send({ ...mail, stream: 'bulk' })"],
  ['html', 'const email: SendParams = { from, to, subject, html: { body: text } }'],
  // Options of a call.
  ['category', "client.sending.send(mail, { category: 'news' })"],
  ['timeout', 'client.sending.send(mail, { timeout: 5000 })'],
  ['timeoutMs', "client.sending.send(mail, { timeoutMs: '5s' })"],
  ['stream', "client.sending.send(mail, { stream: 'marketing' })"],
  ['accountId', 'client.sending.send(mail, { accountId: 7 })'],
  ['accountId', 'client.sending.batchAll([mail], { accountId: 7, concurrency: 1 })'],
  ['idempotency_key', "client.sending.send(mail, { idempotency_key: 'order-7' })"],
  // Several emails.
  ['requests', 'client.sending.batch([mail])'],
  ['from', 'client.sending.batch({ from, requests: [{ to, subject, text }] })'],
  ['to', 'client.sending.batch({ requests: [{ subject, text }] })'],
  ['requests', 'client.sending.batch({ requests: mail })'],
  ['subject', 'client.sending.batch({ base: { template_uuid, subject }, requests: [{ to }] })'],
  ['to', 'client.sending.batchAll([{ subject, text }])'],
  ['to', 'client.sending.batchAll([to])'],
  [
    'requests',
    'client.sending.batchAll(mail)',
    'sending.batchAll was not sent: requests: must be an array, or another iterable or async iterable',
  ],
  ['subject', 'client.sending.batchAll([{ to }], { subject })'],
  // The client.
  ['apiKey', "new EmailPlatform({ apiKey: 'secret' })"],
  ['baseURL', "new EmailPlatform({ token: 't', baseURL: 'https://example.com' })"],
  ['hosts', "new EmailPlatform({ token: 't', hosts: 'https://example.com' })"],
  ['retry', "new EmailPlatform({ token: 't', domain: 'example.com', retry: 3 })"],
  ['recipients', "new EmailPlatform({ token: 't', domain: 'example.com', recipients: ['@example.org'] })"],
  ['accountId', "new EmailPlatform({ token: 't', domain: 'example.com', accountId: '7' })"],
  ['port', 'createEmulator({ port: 4010 })'],
  // Calls of other libraries, and of none.
  ['send', 'client.send(mail)'],
  ['emails', 'client.emails.send(mail)'],
  ['sendMail', 'client.sending.sendMail(mail)'],
  ['message_ids', 'const { message_ids } = client.sending.send(mail)'],
  ['items', 'const { items } = client.campaigns.list()'],
  // Other areas.
  [
    'operator',
    "const filter = { operator: 'ci_equal', value: to }; client.emailLogs.list({ filters: { to: filter } })",
  ],
  [
    'operator',
    "const filter = { operator: 'empty', value: to }; client.emailLogs.list({ filters: { subject: filter } })",
  ],
  [
    'operator',
    "const filter = { operator: 'equal', value: '::1' }; client.emailLogs.list({ filters: { client_ip: filter } })",
  ],
  [
    'operator',
    "const filter = { operator: 'equal', value: 7 }; client.emailLogs.list({ filters: { domain_id: filter } })",
  ],
  ['to', 'client.emailLogs.list({ to })'],
  ['perPage', 'client.campaigns.list({ perPage: 5 })'],
  ['id', "client.campaigns.get('7')", 'campaigns.get was not sent: id: must be a positive whole number'],
  ['at', 'client.campaigns.schedule(7, { at: new Date() })'],
  ['first_name', "client.contacts.create({ email: to, first_name: 'Ann' })"],
  ['domain_ids', 'client.stats.get({ ...days, domain_ids: "7" })'],
  ['category', "client.templates.create({ name: 'Welcome', subject })"],
  [
    'subject',
    'client.sending.send({ from, to })',
    'sending.send was not sent: subject: is required; text: is required unless html is given',
  ],
  [
    'to',
    'client.sending.send({})',
    "sending.send was not sent: from: is required, here or in the client's `defaults`; to: is required unless cc or bcc is given; subject: is required; text: is required unless html is given",
  ],
  [
    'text',
    'client.sending.send({ from, to, subject })',
    'sending.send was not sent: text: is required unless html is given',
  ],
  [
    'to',
    'client.sending.send({ from, to: [], subject, text })',
    'sending.send was not sent: to: is required unless cc or bcc is given',
  ],
];

export const WRONG_PROGRAMS: readonly WrongProgram[] = PROGRAMS.map(([name, program, thrown]) => ({
  name,
  program,
  ...(thrown !== undefined && { thrown }),
}));

/** A file with the programs, and the line of each. */
export const wrongFile = (): string =>
  `${PREAMBLE}\n${WRONG_PROGRAMS.map(({ program }, index) => `export async function program${index}() { ${program}; }`).join('\n')}\n`;
export const FIRST_LINE = PREAMBLE.split('\n').length;
