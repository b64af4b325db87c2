import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps, type Model } from './model.ts';
import { agree } from './verdict.ts';

const streams = fc.constantFrom('transactional' as const, 'bulk' as const);
const types = fc.uniqueArray(fc.constantFrom('delivery', 'open', 'click', 'bounce'), { minLength: 1 });
const webhookAt = ({ hooks }: Model, at: number) => pick([...hooks.webhooks.keys()], at) ?? 99_999;

const addWebhook = steps(
  'add webhook',
  fc.tuple(streams, types),
  async ([stream, some], model, { client }) => {
    const { id } = await client.webhooks.create({
      url: 'https://receiver.test/',
      webhook_type: 'email_sending',
      sending_stream: stream,
      event_types: some,
    });
    model.hooks.add({ id, stream, types: some, isActive: true }, model.now);
  },
);

const changeWebhook = steps(
  'change webhook',
  fc.tuple(position, fc.boolean(), types),
  ([at, isActive, some], model, { client }) => {
    const id = webhookAt(model, at);
    return agree(
      client.webhooks.update(id, { active: isActive, event_types: some }),
      () => Object.assign(model.hooks.webhook(id), { isActive, types: some }),
      (real) => expect(real).toMatchObject({ id, active: isActive, event_types: some }),
    );
  },
);

const removeWebhook = steps('remove webhook', position, (at, model, { client }) => {
  const id = webhookAt(model, at);
  return agree(
    client.webhooks.delete(id),
    () => (model.hooks.webhook(id), model.hooks.webhooks.delete(id)),
    (real) => expect(real).toMatchObject({ id }),
  );
});

const readWebhook = steps('read webhook', position, (at, model, { client }) => {
  const id = webhookAt(model, at);
  return agree(
    client.webhooks.get(id),
    () => model.hooks.webhook(id),
    (real, { isActive, types: some }) =>
      expect(real).toMatchObject({ id, active: isActive, event_types: some }),
  );
});

const listWebhooks = steps('list webhooks', fc.constant(''), async (_, { hooks }, { client }) => {
  const real = await client.webhooks.list().toArray();
  expect(real.map(({ id, active }) => [id, active])).toEqual(
    [...hooks.webhooks.values()].map(({ id, isActive }) => [id, isActive]),
  );
});

const send = steps('send', streams, async (stream, model, { client }) => {
  const from = { email: `news@${model.mail.domains[0]?.name ?? ''}` };
  const mail = {
    from,
    to: [{ email: 'ann@example.org' }],
    subject: 'Hi',
    text: 'Hello https://example.com/',
  };
  const { message_ids } = await client.sending.send(mail, { stream });
  model.hooks.sent(message_ids[0] ?? '', stream, model.now);
});

const readPosts = steps('read posts', fc.constant(''), async (_, { hooks }, { emulator }) => {
  await emulator.webhooks.settled();
  const real = emulator.webhooks.posts.flatMap(({ webhookId, body }) => {
    const { events } = JSON.parse(body) as { events: { event: string; message_id: string }[] };
    return events.map(({ event, message_id }) => `${webhookId} ${event} ${message_id}`);
  });
  expect(real.sort()).toEqual([...hooks.posted].sort());
  return real.length === 0 ? 'none' : 'some';
});

/** Webhooks, and what they post of the emails that are sent meanwhile. */
export const webhookSteps = [
  addWebhook,
  changeWebhook,
  removeWebhook,
  readWebhook,
  listWebhooks,
  send,
  send,
  readPosts,
];
