import type { EmailPlatform } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { MemoryStore } from '../../entries/journal/memory-store.ts';
import { examples } from '../../entries/schemas/examples.ts';
import type { Call, Given } from './call.ts';
import { BATCH_ANSWER } from './table.ts';

const from = { email: 'hello@mail.example.com' };
const to = [{ email: 'ann@example.org' }];
const mail = ({ text }: Given) => ({ from, to, subject: 'Hi', text });

const sent = { answer: examples.sendResult, reading: 'mail', repeated: 'does it twice' } as const;
const batch = {
  answer: BATCH_ANSWER,
  reading: 'mail',
  repeated: 'does it twice',
} as const;
const reads = { reading: 'json', repeated: 'reads' } as const;

/** The same client with somewhere to keep keys. */
const withJournal = (client: EmailPlatform, store = new MemoryStore()) =>
  client.withOptions({ journal: createJournal(store) });

/** A run over one mail ends as that mail does. */
async function onlyOutcome(run: ReturnType<EmailPlatform['sending']['batchAll']>): Promise<unknown> {
  for await (const outcome of run) {
    if (outcome.status === 'not_sent' || outcome.status === 'unknown') {
      if ((outcome.error.effect === 'none') !== (outcome.status === 'not_sent'))
        throw new Error(`A mail is ${outcome.status}, but the effect is ${outcome.error.effect}.`);
      throw outcome.error;
    }
    return outcome.status;
  }
  throw new Error('There was no outcome.');
}

/** Calls of methods without an endpoint of their own, other ways to call one of the table, and `request`. */
export const OTHERS: readonly Call[] = [
  {
    name: 'campaigns.waitUntilFinished',
    run: ({ campaigns }, options) => campaigns.waitUntilFinished(1, options),
    answer: { data: { ...examples.campaign, current_state: 'finished' } },
    ...reads,
  },
  {
    name: 'emailLogs.downloadRaw',
    run: ({ emailLogs }, { signal, deadlineMs }, { url }) =>
      emailLogs.downloadRaw(`${url}/raw.eml`, { signal, deadlineMs }),
    answer: { not: 'read' },
    reading: 'bytes',
    repeated: 'reads',
    isSigned: true,
  },
  ...(['bulk', 'sandbox'] as const).map((stream): Call => ({
    name: `sending.send (${stream})`,
    run: ({ sending }, options, given) => sending.send(mail(given), { ...options, stream }),
    ...sent,
  })),
  {
    name: 'sending.batchAll',
    run: ({ sending }, options, given) => onlyOutcome(sending.batchAll([mail(given)], options)),
    ...batch,
  },
  {
    name: 'sending.send (with a key)',
    run: (client, options, given) =>
      withJournal(client).sending.send(mail(given), { ...options, idempotencyKey: 'key' }),
    ...sent,
  },
  {
    name: 'sending.batchAll (with a key)',
    run: (client, options, given) =>
      onlyOutcome(
        withJournal(client).sending.batchAll([mail(given)], { ...options, idempotencyKey: () => 'key' }),
      ),
    ...batch,
  },
  {
    name: 'sending.settleUnknown',
    run: async (client, options) => {
      // A clock that stands still, so that the same is asked for each time.
      const store = new MemoryStore(() => 0);
      const claim = {
        namespace: 'default',
        key: 'key',
        hash: '1:',
        stream: 'transactional',
        leaseMs: 0,
      } as const;
      await store.claim([{ ...claim, attempt: 'crashed' }]);
      return withJournal(client, store).sending.settleUnknown(options);
    },
    answer: { ...examples.emailLogPage, total_count: 1, next_page_cursor: null },
    ...reads,
  },
  {
    name: 'sending.send (attachment)',
    run: ({ sending }, options, given) => {
      const content = new Blob([given.text]).stream();
      return sending.send({ ...mail(given), attachments: [{ filename: 'a.txt', content }] }, options);
    },
    ...sent,
  },
  {
    name: 'sendingDomains.waitUntilVerified',
    run: ({ sendingDomains }, options) => sendingDomains.waitUntilVerified(1, options),
    answer: examples.sendingDomain,
    ...reads,
  },
  {
    name: 'contacts.imports.waitUntilFinished',
    run: ({ contacts }, options) => contacts.imports.waitUntilFinished(1, options),
    answer: examples.contactImport,
    ...reads,
  },
  {
    name: 'contacts.exports.waitUntilFinished',
    run: ({ contacts }, options) => contacts.exports.waitUntilFinished(1, options),
    answer: examples.contactExport,
    ...reads,
  },
  {
    name: 'sandbox.messages.waitFor',
    run: ({ sandbox }, options) => sandbox.messages.waitFor({ inbox: 1, to: 'ANN@example.org' }, options),
    answer: examples.sandboxMessageList,
    ...reads,
  },
  {
    name: 'sandbox.attachments.download',
    // A test that has to tell such calls apart has a number in its URL; here a path is all that is given.
    run: ({ sandbox }, options, { url }) => {
      const run = new URL(url).searchParams.get('run') ?? '0';
      return sandbox.attachments.download(
        { download_path: `/api/testing_message_parts/run-${run}/download` },
        options,
      );
    },
    answer: { not: 'read' },
    reading: 'bytes',
    repeated: 'reads',
    isSigned: true,
  },
  {
    name: 'request (GET)',
    run: (client, options) => client.request({ method: 'GET', path: '/api/contacts/lists' }, options),
    answer: [{ id: 1 }],
    reading: 'any',
    repeated: 'reads',
  },
  {
    name: 'request (POST)',
    run: (client, options, { text }) =>
      client.request({ method: 'POST', path: '/api/contacts', body: { text } }, options),
    answer: { id: 1 },
    reading: 'any',
    repeated: 'does it twice',
  },
  {
    name: 'request (PUT)',
    run: (client, options, { text }) =>
      client.request({ method: 'PUT', path: '/api/contacts/1', body: { text } }, options),
    answer: { id: 1 },
    reading: 'any',
    repeated: 'again the same',
  },
];
