import { sandboxExamples as examples } from '../schemas/sandbox-examples.ts';
import type { Call } from './calls.ts';

const reads = { reading: 'json', repeated: 'reads' } as const;
const sets = { reading: 'json', repeated: 'again the same' } as const;
const removes = { reading: 'json or 204', repeated: 'again the same' } as const;
const once = { reading: 'json', repeated: 'does it twice' } as const;
const body = { answer: { not: 'read' }, reading: 'bytes', repeated: 'reads' } as const;

const project = { answer: examples.sandboxProject };
const inbox = { answer: examples.sandboxInbox };
const message = { answer: examples.sandboxMessage };

/** A valid call of every method of the sandbox. */
export const SANDBOX_CALLS: readonly Call[] = [
  {
    name: 'sandbox.projects.list',
    run: ({ sandbox }, options) => sandbox.projects.list(options),
    answer: examples.sandboxProjectList,
    ...reads,
  },
  {
    name: 'sandbox.projects.create',
    run: ({ sandbox }, options) => sandbox.projects.create({ name: 'Shop' }, options),
    ...project,
    ...once,
  },
  {
    name: 'sandbox.projects.get',
    run: ({ sandbox }, options) => sandbox.projects.get(1, options),
    ...project,
    ...reads,
  },
  {
    name: 'sandbox.projects.update',
    run: ({ sandbox }, options) => sandbox.projects.update(1, { name: 'Shop' }, options),
    ...project,
    ...sets,
  },
  {
    name: 'sandbox.projects.delete',
    run: ({ sandbox }, options) => sandbox.projects.delete(1, options),
    answer: { id: 1 },
    ...removes,
  },
  {
    name: 'sandbox.inboxes.list',
    run: ({ sandbox }, options) => sandbox.inboxes.list(options),
    answer: examples.sandboxInboxList,
    ...reads,
  },
  {
    name: 'sandbox.inboxes.create',
    run: ({ sandbox }, options) => sandbox.inboxes.create(1, { name: 'Signup' }, options),
    ...inbox,
    ...once,
  },
  {
    name: 'sandbox.inboxes.get',
    run: ({ sandbox }, options) => sandbox.inboxes.get(1, options),
    ...inbox,
    ...reads,
  },
  {
    name: 'sandbox.inboxes.update',
    run: ({ sandbox }, options) => sandbox.inboxes.update(1, { name: 'Signup' }, options),
    ...inbox,
    ...sets,
  },
  {
    name: 'sandbox.inboxes.delete',
    run: ({ sandbox }, options) => sandbox.inboxes.delete(examples.sandboxInbox.id, options),
    ...inbox,
    ...removes,
  },
  ...(['clean', 'resetCredentials', 'toggleEmailAddress', 'resetEmailAddress'] as const).map(
    (action): Call => ({
      name: `sandbox.inboxes.${action}`,
      run: ({ sandbox }, options) => sandbox.inboxes[action](1, options),
      ...inbox,
      ...once,
    }),
  ),
  {
    name: 'sandbox.inboxes.markAllRead',
    run: ({ sandbox }, options) => sandbox.inboxes.markAllRead(1, options),
    ...inbox,
    ...sets,
  },
  {
    name: 'sandbox.messages.list',
    run: ({ sandbox }, options) => sandbox.messages.list(1, {}, options),
    answer: examples.sandboxMessageList,
    ...reads,
  },
  {
    name: 'sandbox.messages.get',
    run: ({ sandbox }, options) => sandbox.messages.get(1, 2, options),
    ...message,
    ...reads,
  },
  {
    name: 'sandbox.messages.markRead',
    run: ({ sandbox }, options) => sandbox.messages.markRead(1, 2, { is_read: true }, options),
    ...message,
    ...sets,
  },
  {
    name: 'sandbox.messages.delete',
    run: ({ sandbox }, options) => sandbox.messages.delete(1, examples.sandboxMessage.id, options),
    ...message,
    ...removes,
  },
  {
    name: 'sandbox.messages.forward',
    run: ({ sandbox }, options) => sandbox.messages.forward(1, 2, { email: 'ops@example.com' }, options),
    answer: examples.sandboxForwardResult,
    ...once,
  },
  {
    name: 'sandbox.messages.spamReport',
    run: ({ sandbox }, options) => sandbox.messages.spamReport(1, 2, options),
    answer: { report: examples.sandboxSpamReport },
    ...reads,
  },
  {
    name: 'sandbox.messages.htmlAnalysis',
    run: ({ sandbox }, options) => sandbox.messages.htmlAnalysis(1, 2, options),
    answer: { report: examples.sandboxHtmlAnalysis },
    ...reads,
  },
  {
    name: 'sandbox.messages.headers',
    run: ({ sandbox }, options) => sandbox.messages.headers(1, 2, options),
    answer: { headers: examples.sandboxMessageHeaders },
    ...reads,
  },
  ...(['text', 'html', 'htmlSource', 'raw', 'eml'] as const).map((method): Call => ({
    name: `sandbox.messages.${method}`,
    run: ({ sandbox }, options) => sandbox.messages[method](1, 2, options),
    ...body,
  })),
  {
    name: 'sandbox.messages.waitFor',
    run: ({ sandbox }, options) => sandbox.messages.waitFor({ inbox: 1, to: 'ANN@example.org' }, options),
    answer: examples.sandboxMessageList,
    ...reads,
  },
  {
    name: 'sandbox.attachments.list',
    run: ({ sandbox }, options) => sandbox.attachments.list(1, 2, {}, options),
    answer: examples.sandboxAttachmentList,
    ...reads,
  },
  {
    name: 'sandbox.attachments.get',
    run: ({ sandbox }, options) => sandbox.attachments.get(1, 2, 3, options),
    answer: examples.sandboxAttachment,
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
    ...body,
    isSigned: true,
  },
];
