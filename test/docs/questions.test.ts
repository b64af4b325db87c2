/** Questions of users, each with the one section that answers it; and how long the guides may be. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guides, root } from './snippets.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');
const index = read('docs/README.md').replace(/\s+/g, ' ');

/** A question as the index has it, the link beside it, and a word of the answer. */
const QUESTIONS = [
  ['How do I send my first email, without an account?', 'getting-started.md#send-an-email', 'emulator'],
  [
    'How do I move from the emulator to my account?',
    'getting-started.md#connect-to-a-service',
    'EMAIL_PLATFORM_',
  ],
  ['How do I set a default sender?', 'sending.md#for-every-email', 'defaults'],
  ['How do I attach a file, or a stream?', 'sending.md#attachments', 'openAsBlob'],
  ['How do I send from a template?', 'sending.md#from-a-template', 'template'],
  ['How do I send to thousands of people?', 'sending.md#any-number-of-emails', 'batchAll'],
  ["How does the compiler check a template's variables?", 'templates.md#the-types', 'types'],
  ['How do I keep templates in files, and in the service?', 'templates.md#pull-plan-push-check', 'push'],
  ['What if somebody edits a template in the web editor?', 'templates.md#a-variable-is-renamed', 'pull'],
  ['How do tests see the real template, and a variable that I forgot?', 'templates.md#tests', 'emulator'],
  ['How do I use React Email?', 'templates.md#react-email', 'render'],
  ['How do several processes share the keys?', 'never-twice.md#many-processes-postgres', 'Postgres'],
  ['How many of its emails were opened and clicked?', 'campaigns.md#statistics', 'stats'],
  ['How do I import a file of contacts?', 'contacts.md#importing-any-number-of-contacts', 'import'],
  ['How do I reply to mail that I received?', 'inbound.md#answering', 'reply'],
  ["How do I keep nodemailer, or Nest's mailer?", 'nodemailer.md#one-line', 'createTransport'],
  [
    "What do I write instead of a call of the service's own SDK?",
    'coming-from.md#the-services-own-sdk',
    'client.campaigns.list',
  ],
  ['How do I see an error, a timeout or a 429 in a test?', 'testing.md#failures', 'faults.next'],
  ['Why was a request refused?', 'report.md#what-is-in-it', 'request'],
  [
    'How do I read the emails that a test inbox of the service captured?',
    'staging.md#reading-a-message',
    'message',
  ],
  ['How do I send from BullMQ, pg-boss, Temporal or Inngest?', 'queues.md#choosing-a-queue', 'BullMQ'],
  [
    'How do I send an email only if my transaction is committed?',
    'queues.md#pg-boss-the-outbox',
    'transaction',
  ],
  ['How many requests may I make?', 'rate-limits-and-retries.md#the-limits', '10'],
  ['What is retried, and how often?', 'rate-limits-and-retries.md#retried-failures', '408'],
  [
    'How does an interactive call get past a long batch?',
    'rate-limits-and-retries.md#priorities',
    'priority',
  ],
  ['Why does a call take so long?', 'rate-limits-and-retries.md#watching-the-limits', 'limits'],
  [
    'How do I use the Bottleneck limiters I have?',
    'rate-limits-and-retries.md#limiters-of-bottleneck',
    'Bottleneck',
  ],
  ['Which versions of TypeScript can I use?', 'workers.md#typescript', '5.'],
  ['How do I trace calls with OpenTelemetry?', 'observability.md#opentelemetry', 'instrument'],
  ['Did an email arrive?', 'webhooks.md#delivery-status', 'delivery'],
  ['How do I delete what is recorded about a person?', 'webhooks.md#addresses-and-old-rows', 'delete'],
  ['How do I verify a webhook?', 'webhooks.md#receiving', 'signature'],
  ['How do I post a bounce to my receiver while developing?', 'webhooks.md#while-developing', 'trigger'],
  ['Why does an event come twice?', 'webhooks.md#each-event-once', 'event_id'],
  ['How many emails were opened and clicked?', 'logs-and-statistics.md#statistics', 'stats'],
  ['Can my account send at all?', 'diagnose.md#check-the-setup', 'doctor'],
  [
    'Who gets no email any more, and who is not tracked?',
    'diagnose.md#suppressions-and-tracking-opt-outs',
    'suppressions',
  ],
  ['Where do the addresses of the service come from?', 'connecting.md#hosts', 'EMAIL_PLATFORM_DOMAIN'],
  ['How do I use a token from a vault, or one that is rotated?', 'connecting.md#the-token', 'vault'],
  ['How do I end a call after some time, or with a signal?', 'connecting.md#time', 'signal'],
  ['How do I go through the proxy of my company?', 'connecting.md#through-a-proxy', 'PROXY'],
  ['How do I call an endpoint that has no method?', 'connecting.md#call-it-today', 'request'],
  ['Was my email sent, or not?', 'errors.md#effect-did-the-service-act', 'unknown'],
  ['How do I notice that the service changed its responses?', 'errors.md#checking-responses', 'schemas'],
  ['How do I wait until a domain is verified?', 'account.md#sending-domains', 'verified'],
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

test('there are at least 40 questions', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(40);
});

test.each(QUESTIONS)('%s is answered in %s', (question, link, word) => {
  const [file = '', anchor = ''] = link.split('#');
  expect(sectionOf(read(`docs/${file}`), anchor)).toContain(word);
  const [, answer = ''] = index.split(`- ${question} `);
  expect(answer.split(' - ')[0]).toContain(`](${link})`);
});

/** Words as `wc -w` counts them, without generated tables and pages. */
function wordsOf(file: string): number {
  const text = read(file);
  if (/^# .+\n+<!-- Written by /.test(text)) return 0;
  const written = text.replace(/<!-- ([\w-]+): written by [^]*?<!-- end of \1 -->/g, '');
  return written.split(/\s+/).filter((word) => word !== '').length;
}

const inDocs = guides.filter((file) => file.startsWith('docs/'));

test('there are at most 32 guides, with a bounded number of words', () => {
  expect(inDocs.filter((file) => !file.startsWith('docs/trust/')).length).toBeLessThanOrEqual(32);
  expect(inDocs.reduce((sum, file) => sum + wordsOf(file), 0)).toBeLessThanOrEqual(78_900);
});
