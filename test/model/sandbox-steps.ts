import type { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps, type Model } from './model.ts';
import type { InboxModel } from './reference-sandbox.ts';
import { agree } from './verdict.ts';

export const projectAt = ({ sandbox }: Model, at: number) => pick([...sandbox.projects.keys()], at) ?? 99_999;
export const inboxAt = ({ sandbox }: Model, at: number) => pick([...sandbox.inboxes.keys()], at) ?? 99_999;
/** Mostly a message that is there; an inbox that is there with one that is not, otherwise. */
export const messageAt = ({ sandbox }: Model, at: number): readonly [inbox: number, id: number] => {
  const all = [...sandbox.inboxes.values()].flatMap(({ id, messages }) =>
    messages.map((message) => [id, message.id] as const),
  );
  return pick(all, at) ?? [sandbox.inboxes.keys().next().value ?? 99_999, 99_999];
};
export const names = fc.constantFrom('Shop', 'Blog', 'x');
const addresses = fc.constantFrom('ann@example.org', 'ben@example.org');
const subjects = fc.constantFrom('Welcome', 'Confirm your address');

export function expectSameInbox(
  real: EmailPlatform.SandboxInbox,
  { id, projectId, name, hasAddress, sent, messages }: InboxModel,
): void {
  expect(real).toMatchObject({
    id,
    name,
    project_id: projectId,
    email_username_enabled: hasAddress,
    used: sent > 0,
    sent_messages_count: sent,
    emails_count: messages.length,
    emails_unread_count: messages.filter(({ isRead }) => !isRead).length,
  });
}

const addProject = steps('add project', names, (name, { sandbox }, { client }) =>
  agree(
    client.sandbox.projects.create({ name }),
    () => sandbox.checkName(name),
    ({ id }) => void sandbox.projects.set(id, name),
  ),
);

const removeProject = steps('remove project', position, (at, model, { client }) => {
  const id = projectAt(model, at);
  return agree(
    client.sandbox.projects.delete(id),
    () => model.sandbox.removeProject(id),
    (real) => expect(real).toEqual({ id }),
  );
});

const listProjects = steps('list projects', fc.constant(0), async (_, { sandbox }, { client }) => {
  const real = await client.sandbox.projects.list().toArray();
  expect(real.map(({ id, name }) => [id, name])).toEqual([...sandbox.projects]);
  for (const { id, inboxes } of real) {
    const expected = sandbox.within(id);
    expect(inboxes).toHaveLength(expected.length);
    for (const [index, inbox] of inboxes.entries())
      if (expected[index]) expectSameInbox(inbox, expected[index]);
  }
});

const addInbox = steps('add inbox', fc.tuple(position, names), ([at, name], model, { client }) => {
  const projectId = projectAt(model, at);
  return agree(
    client.sandbox.inboxes.create(projectId, { name }),
    () => model.sandbox.project(projectId),
    ({ id, password }) => {
      const inbox = { id, projectId, name, hasAddress: true, password, sent: 0, messages: [] };
      model.sandbox.inboxes.set(id, inbox);
    },
  );
});

const renameInbox = steps('rename inbox', fc.tuple(position, names), ([at, name], model, { client }) => {
  const id = inboxAt(model, at);
  return agree(
    client.sandbox.inboxes.update(id, { name }),
    () => Object.assign(model.sandbox.inbox(id), { name }),
    expectSameInbox,
  );
});

const removeInbox = steps('remove inbox', position, (at, model, { client }) => {
  const id = inboxAt(model, at);
  return agree(
    client.sandbox.inboxes.delete(id),
    () => (model.sandbox.inbox(id), model.sandbox.inboxes.delete(id)),
    (real) => expect(real).toMatchObject({ id }),
  );
});

const ACTIONS: Readonly<
  Record<
    'clean' | 'markAllRead' | 'toggleEmailAddress' | 'resetEmailAddress' | 'resetCredentials',
    (inbox: InboxModel) => void
  >
> = {
  clean: (inbox) => void (inbox.messages = []),
  markAllRead: ({ messages }) => messages.forEach((message) => void (message.isRead = true)),
  toggleEmailAddress: (inbox) => void (inbox.hasAddress = !inbox.hasAddress),
  resetEmailAddress: () => undefined,
  resetCredentials: () => undefined,
};

const act = steps(
  'act on inbox',
  fc.tuple(position, fc.constantFrom(...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]))),
  ([at, action], model, { client }) => {
    const id = inboxAt(model, at);
    return agree(
      client.sandbox.inboxes[action](id),
      () => {
        const inbox = model.sandbox.inbox(id);
        ACTIONS[action](inbox);
        return inbox;
      },
      (real, inbox) => {
        expectSameInbox(real, inbox);
        expect(real.password === inbox.password).toBe(action !== 'resetCredentials');
        inbox.password = real.password;
      },
    );
  },
);

const capture = steps(
  'capture',
  fc.tuple(position, addresses, subjects, fc.option(fc.constant('<p>Hello</p>'), { nil: undefined })),
  ([at, email, subject, html], model, { client }) => {
    const id = inboxAt(model, at);
    const from = { email: 'hello@anywhere.example.com' };
    const to = [{ email }];
    const sender = client.withOptions({ sandboxInboxId: id });
    const request = { from, to, subject, text: 'Hello', html };
    return agree(
      sender.sending.batch({ requests: [request] }, { stream: 'sandbox' }),
      () => model.sandbox.open(id),
      ({ responses }, inbox) => {
        const messageId = Number(responses[0]?.message_ids[0]);
        inbox.messages.push({ id: messageId, to: email, subject, html, isRead: false });
        inbox.sent += 1;
      },
    );
  },
);

const listMessages = steps(
  'list messages',
  fc.tuple(position, fc.option(addresses)),
  ([at, to], model, { client }) => {
    const id = inboxAt(model, at);
    return agree(
      client.sandbox.messages.list(id, to === null ? {} : { search: to.toUpperCase() }).toArray(),
      () => model.sandbox.inbox(id).messages.filter((one) => to === null || one.to === to),
      (real, expected) => {
        const seen = real.map((one) => [one.id, one.to_email, one.subject, one.is_read, one.inbox_id]);
        const wanted = expected.map((one) => [one.id, one.to, one.subject, one.isRead, id]);
        expect(seen).toEqual(wanted.reverse());
      },
    );
  },
);

const markRead = steps('mark', fc.tuple(position, fc.boolean()), ([at, is_read], model, { client }) => {
  const [inbox, id] = messageAt(model, at);
  return agree(
    client.sandbox.messages.markRead(inbox, id, { is_read }),
    () => Object.assign(model.sandbox.message(inbox, id), { isRead: is_read }),
    (real) => expect(real).toMatchObject({ id, is_read }),
  );
});

const readHtml = steps('read HTML', position, (at, model, { client }) => {
  const [inbox, id] = messageAt(model, at);
  return agree(
    client.sandbox.messages.html(inbox, id),
    () => model.sandbox.html(inbox, id),
    (real, expected) => expect(real).toBe(expected),
  );
});

const removeMessage = steps('remove message', position, (at, model, { client }) => {
  const [inbox, id] = messageAt(model, at);
  return agree(
    client.sandbox.messages.delete(inbox, id),
    () => {
      const message = model.sandbox.message(inbox, id);
      const owner = model.sandbox.inbox(inbox);
      owner.messages = owner.messages.filter((one) => one !== message);
    },
    (real) => expect(real).toMatchObject({ id }),
  );
});

/** Only where it is there already: otherwise it would wait. */
const waitFor = steps(
  'wait for',
  fc.tuple(position, addresses, subjects),
  async ([at, to, subject], model, { client }) => {
    const inbox = inboxAt(model, at);
    const expected = model.sandbox.inboxes
      .get(inbox)
      ?.messages.findLast((one) => one.to === to && one.subject.includes(subject));
    if (expected === undefined) return 'nothing';
    const found = await client.sandbox.messages.waitFor({ inbox, to, subject: subject.slice(2, 6) });
    expect(found.id).toBe(
      model.sandbox
        .inbox(inbox)
        .messages.findLast((one) => one.to === to && one.subject.includes(subject.slice(2, 6)))?.id,
    );
    return 'done';
  },
);

/** The steps of the sandbox. */
export const sandboxSteps = [
  ...[addProject, removeProject, listProjects, addInbox, addInbox, renameInbox, removeInbox, act],
  ...[
    capture,
    capture,
    capture,
    capture,
    capture,
    capture,
    listMessages,
    markRead,
    readHtml,
    removeMessage,
    waitFor,
    waitFor,
  ],
];
