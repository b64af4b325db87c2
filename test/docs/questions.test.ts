/** Questions of users, each with the one section that answers it; and how long the guides may be. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guides, root } from './snippets.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');
const index = read('docs/README.md').replace(/\s+/g, ' ');

/** A question of the index, its link, and a word of the answer. */
const QUESTIONS = [
  ['How do I send an email without an account?', 'getting-started.md#send-an-email', 'createEmulator'],
  [
    'How do I move from the emulator to my account?',
    'getting-started.md#connect-to-a-service',
    '--write-env',
  ],
  [
    'Which sender does the emulator accept (a 401 for my own address)?',
    'getting-started.md#your-own-domain',
    'domains.add',
  ],
  ['Must I install better-sqlite3?', 'never-twice.md#idempotency-keys-journal', 'install nothing'],
  ['How do I create a sub-account, and send for it?', 'account.md#organizations', 'resource_type'],
  ['How do I set a default sender?', 'sending.md#for-every-email', 'defaults: {'],
  ['How do I attach a file, or a stream?', 'sending.md#attachments', 'openAsBlob'],
  ['How do I send from a template?', 'sending.md#from-a-template', 'template_uuid'],
  ['How do I send to thousands of people?', 'sending.md#any-number-of-emails', 'batchAll'],
  ["How does the compiler check a template's variables?", 'templates.md#the-types', 'a list of objects'],
  ['How do I send an email in two languages?', 'templates.md#languages', '{ locale }'],
  [
    'How do I keep templates in files, and in the service?',
    'templates.md#pull-plan-push-check',
    'templates push emails',
  ],
  [
    'What if a template is edited in the web editor?',
    'templates.md#a-variable-is-renamed',
    'templates pull emails',
  ],
  ['How do tests see the real template?', 'templates.md#tests', 'template?.missing'],
  ['How do I use React Email?', 'frameworks.md#react-email', 'plainText'],
  ['How do several processes share the keys?', 'never-twice.md#many-processes-postgres', 'Postgres'],
  ['How many of its emails were opened and clicked?', 'campaigns.md#statistics', 'campaigns.stats'],
  ['How do I import a file of contacts?', 'contacts.md#importing-any-number-of-contacts', 'imports.run'],
  ['How do I reply to a message that I received?', 'inbound.md#answering', 'messages.reply'],
  ["How do I keep nodemailer, or Nest's mailer?", 'nodemailer.md#one-line', 'createTransport'],
  [
    "What replaces a call of the service's own SDK?",
    'coming-from.md#the-services-own-sdk',
    'client.campaigns.list',
  ],
  ['How do I see an error, a timeout or a 429 in a test?', 'testing.md#failures', 'status: 429'],
  [
    'How do I keep emails over a restart of the emulator?',
    'testing.md#local-server-emulator',
    'the same `--token`',
  ],
  ['Why was a request refused?', 'report.md#what-is-in-it', 'reason'],
  [
    'How do I stop staging from sending to real people?',
    'staging.md#refuse-other-recipients',
    'RecipientRefusedError',
  ],
  [
    'How do I redirect all email of staging to one address?',
    'staging.md#redirect-other-recipients',
    'redirectTo',
  ],
  ['How do I read a test inbox of the service?', 'staging.md#reading-a-message', 'client.sandbox'],
  ['How do I send from BullMQ, pg-boss, Temporal or Inngest?', 'queues.md#choosing-a-queue', 'BullMQ'],
  ['How do I send only if my transaction commits?', 'queues.md#pg-boss-the-outbox', 'BEGIN'],
  ['How do I send an email tomorrow at nine?', 'queues.md#tomorrow-at-nine', 'startAfter'],
  ['How does a worker stop on SIGTERM?', 'queues.md#bullmq', 'SIGTERM'],
  ['How many requests may I make?', 'rate-limits-and-retries.md#the-limits', '150 in 10 seconds'],
  ['What is retried, and how often?', 'rate-limits-and-retries.md#retried-failures', '408'],
  [
    'How does an interactive call get past a long batch?',
    'rate-limits-and-retries.md#priorities',
    "priority: 'high'",
  ],
  ['Why does a call take so long?', 'rate-limits-and-retries.md#watching-the-limits', 'limits.snapshot'],
  ['How do I send more slowly than the limit?', 'rate-limits-and-retries.md#other-limits', 'throttle: {'],
  [
    'How do I use the Bottleneck limiters I have?',
    'rate-limits-and-retries.md#limiters-of-bottleneck',
    'Bottleneck',
  ],
  ['Which versions of TypeScript can I use?', 'workers.md#typescript', 'TypeScript 5.'],
  ['How do I trace calls with OpenTelemetry?', 'observability.md#opentelemetry', 'instrument()'],
  ['Did an email arrive?', 'webhooks.md#delivery-status', 'deliveries.record'],
  [
    'How do I delete what is recorded about a person?',
    'webhooks.md#addresses-and-old-rows',
    'deliveries.forget',
  ],
  ['How do I verify a webhook?', 'webhooks.md#receiving', 'readWebhook'],
  ['How do I post a bounce to my receiver?', 'webhooks.md#while-developing', 'email-platform trigger bounce'],
  ['Why does an event come twice?', 'webhooks.md#each-event-once', 'event_id'],
  ['Do events arrive in order?', 'webhooks.md#each-event-once', 'Order is not guaranteed'],
  ['How many emails were opened and clicked?', 'logs-and-statistics.md#statistics', 'stats.byDomain'],
  ['Can my account send at all?', 'diagnose.md#check-the-setup', 'email-platform doctor'],
  [
    'Which addresses are suppressed or not tracked?',
    'diagnose.md#suppressions-and-tracking-opt-outs',
    'suppressions.list',
  ],
  ['How do I honour unsubscribes?', 'sending.md#unsubscribes', 'suppress'],
  ['How do I remove 300 bounces from the list of suppressions?', 'diagnose.md#suppressions', 'bounced.push'],
  ['Where do the addresses of the service come from?', 'connecting.md#hosts', 'EMAIL_PLATFORM_DOMAIN'],
  ['How do I use a token from a vault?', 'connecting.md#the-token', 'your vault'],
  ['How do I limit the time of a call, or cancel it?', 'connecting.md#time', 'AbortSignal'],
  ["How do I go through my company's proxy?", 'connecting.md#through-a-proxy', 'HTTPS_PROXY'],
  ['How do I call an endpoint that has no method?', 'connecting.md#call-it-today', 'client.request'],
  ['Was my email sent, or not?', 'errors.md#effect-did-the-service-act', "'unknown'"],
  ['How do I notice changed responses?', 'errors.md#checking-responses', 'onMismatch'],
  ['How do I wait until a domain is verified?', 'account.md#sending-domains', 'waitUntilVerified'],
  ['How do I rotate a token without downtime?', 'account.md#api-tokens', 'twelve more hours'],
  ['How do I build without a token, as in Docker?', 'frameworks.md#next', 'next build'],
  ['Which versions of pg-boss work?', 'queues.md#pg-boss-the-outbox', 'pg-boss 11 and earlier'],
  ['Which tables and columns can a dashboard read?', 'webhooks.md#tables', 'email_platform_deliveries'],
  ['How do I free the jobs of a killed graphile-worker?', 'queues.md#others', "force_unlock_workers(ARRAY['"],
  [
    'Which files of the emulator go into .gitignore?',
    'getting-started.md#connect-to-a-service',
    '.gitignore',
  ],
  ['Which operations may a page call?', 'proxy.md#allowed-operations', 'templates.*'],
  ['How do I use Auth.js, Strapi or Payload?', 'nodemailer.md#authjs', 'NextAuth'],
  ['What does a pull request change in my emails?', 'report.md#what-a-pull-request-changed', '--against'],
  ['How does CI fail on new errors alone?', 'report.md#what-a-pull-request-changed', '--fail-on error'],
  ['How large may a report get?', 'report.md#what-is-in-it', '64 MB'],
  ['Which mistakes does a report find?', 'report.md#checks', 'Invalid Date'],
  ['How do I run the emulator in Docker?', 'other-languages.md#containers', '--allow-host'],
  [
    'How do I set the guard without changing code?',
    'staging.md#from-the-environment',
    'EMAIL_PLATFORM_RECIPIENTS',
  ],
  ['How do I lift the block after a hard bounce?', 'diagnose.md#after-a-hard-bounce', '--lift'],
  ['How do I export the log?', 'logs-and-statistics.md#export', 'search_after'],
  ['How do I receive email at my own domain?', 'inbound.md#inboxes', 'inbound_enabled'],
  ['What happens when Redis is unreachable?', 'many-processes.md#when-redis-is-unreachable', 'processes'],
  ['Why does a subject show `&amp;`?', 'account.md#templates', 'three braces'],
  ['Can a token or an address get into my logs?', 'security.md#contents-of-an-error', 'You can log an error'],
] as const;

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The section with an anchor, with the sections below it. */
function sectionOf(markdown: string, anchor: string): string | undefined {
  const masked = markdown.replace(/^```.*?^```$/gms, (block) => block.replace(/^#/gm, ' '));
  const headings = [...masked.matchAll(/^(#+) (.+)$/gm)];
  const at = headings.findIndex(([, , text = '']) => slug(text) === anchor);
  const found = headings[at];
  if (found === undefined) return undefined;
  const next = headings.slice(at + 1).find(([, marks = '']) => marks.length <= (found[1]?.length ?? 0));
  return markdown.slice(found.index, next?.index);
}

test('there are at least 70 questions', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(70);
});

test.each(QUESTIONS)('%s is answered in %s', (question, link, word) => {
  const [file = '', anchor = ''] = link.split('#');
  expect(sectionOf(read(`docs/${file}`), anchor)).toContain(word);
  expect(index).toContain(`- [${question}](${link})`);
});

/** The words that a reader counts, without generated tables: each has a letter or a digit. */
function wordsOf(file: string): number {
  const written = read(file).replace(/<!-- ([\w-]+): written by [^]*?<!-- end of \1 -->/g, '');
  return written.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The pages that users read in full: not the generated list of methods. */
const inDocs = guides.filter((file) => /^docs\/[\w-]+\.md$/.test(file) && file !== 'docs/methods.md');

test('there are at most 32 guides, with a bounded number of words', () => {
  expect(inDocs.length).toBeLessThanOrEqual(32);
  expect(inDocs.reduce((sum, file) => sum + wordsOf(file), 0)).toBeLessThanOrEqual(38_000);
});

/** The guides that are read most. */
const MOST_READ = [
  'getting-started',
  'sending',
  'campaigns',
  'contacts',
  'errors',
  'testing',
  'templates',
  'webhooks',
  'never-twice',
  'rate-limits-and-retries',
].map((name) => `docs/${name}.md`);

test.each(inDocs.filter((file) => !MOST_READ.includes(file)))('%s has at most 2000 words', (file) => {
  expect(wordsOf(file)).toBeLessThanOrEqual(2000);
});

test.each(MOST_READ)('%s has at most 1700 words', (file) => {
  expect(wordsOf(file)).toBeLessThanOrEqual(1700);
});
