import fc from 'fast-check';
import { expect } from 'vitest';
import { position, steps } from './model.ts';
import { expectSameInbox, inboxAt, messageAt, names, projectAt } from './sandbox-steps.ts';
import { agree } from './verdict.ts';

const readProject = steps('read project', position, (at, model, { client }) => {
  const id = projectAt(model, at);
  return agree(
    client.sandbox.projects.get(id),
    () => model.sandbox.project(id),
    (real, name) => expect(real).toMatchObject({ id, name }),
  );
});

const renameProject = steps('rename project', fc.tuple(position, names), ([at, name], model, { client }) => {
  const id = projectAt(model, at);
  return agree(
    client.sandbox.projects.update(id, { name }),
    () => {
      model.sandbox.project(id);
      model.sandbox.checkName(name);
      model.sandbox.projects.set(id, name);
    },
    (real) => expect(real).toMatchObject({ id, name }),
  );
});

const readInbox = steps('read inbox', position, (at, model, { client }) => {
  const id = inboxAt(model, at);
  return agree(client.sandbox.inboxes.get(id), () => model.sandbox.inbox(id), expectSameInbox);
});

const listInboxes = steps('list inboxes', fc.constant(''), async (_, { sandbox }, { client }) => {
  const real = await client.sandbox.inboxes.list().toArray();
  expect(new Set(real.map(({ id }) => id))).toEqual(new Set(sandbox.inboxes.keys()));
  expect(real).toHaveLength(sandbox.inboxes.size);
});

const readMessage = steps('read message', position, (at, model, { client }) => {
  const [inbox, id] = messageAt(model, at);
  return agree(
    client.sandbox.messages.get(inbox, id),
    () => model.sandbox.message(inbox, id),
    (real, { to, subject, isRead }) =>
      expect(real).toMatchObject({ id, inbox_id: inbox, to_email: to, subject, is_read: isRead }),
  );
});

/** Other readable parts of a message, with a text that each contains. */
const PARTS = {
  text: 'Hello',
  raw: 'Subject: ',
  eml: 'Subject: ',
  headers: 'subject',
  spamReport: 'Threshold',
  htmlAnalysis: 'status',
} as const;

const readPart = steps(
  'read part',
  fc.tuple(position, fc.constantFrom(...(Object.keys(PARTS) as (keyof typeof PARTS)[]))),
  ([at, part], model, { client }) => {
    const [inbox, id] = messageAt(model, at);
    const call: PromiseLike<unknown> = client.sandbox.messages[part](inbox, id);
    return agree(
      call,
      () => model.sandbox.message(inbox, id),
      (real) => {
        const text = real instanceof Uint8Array ? new TextDecoder().decode(real) : JSON.stringify(real);
        expect(text).toContain(PARTS[part]);
      },
    );
  },
);

const readSource = steps('read HTML source', position, (at, model, { client }) => {
  const [inbox, id] = messageAt(model, at);
  return agree(
    client.sandbox.messages.htmlSource(inbox, id),
    () => model.sandbox.html(inbox, id),
    (real, expected) => expect(real).toContain(expected),
  );
});

const forward = steps('forward', position, (at, model, { client }) => {
  const [inbox, id] = messageAt(model, at);
  return agree(
    client.sandbox.messages.forward(inbox, id, { email: 'ann@example.org' }),
    () => model.sandbox.message(inbox, id),
    ({ message }) => expect(message).not.toBe(''),
  );
});

const listFiles = steps('list attachments', position, (at, model, { client }) => {
  const [inbox, id] = messageAt(model, at);
  return agree(
    client.sandbox.attachments.list(inbox, id).toArray(),
    () => model.sandbox.message(inbox, id),
    (real) => expect(real).toEqual([]),
  );
});

/** The steps that read what the sandbox has. */
export const sandboxReadingSteps = [
  ...[readProject, renameProject, readInbox, listInboxes],
  ...[readMessage, readMessage, readPart, readPart, readSource, forward, listFiles],
];
