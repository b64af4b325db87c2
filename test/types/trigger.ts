import {
  triggerEvent,
  type TriggeredPost,
  type TriggerOptions,
  type TriggerType,
} from 'email-platform/testing';

const to = 'http://localhost:3000/hooks';

export async function right(): Promise<unknown> {
  const options: TriggerOptions = {
    to: new URL(to),
    set: { email: 'ann@example.org' },
    timeoutMs: 1_000,
    fetch,
  };
  const type: TriggerType = 'activity_log.user.created';
  const post: TriggeredPost = await triggerEvent('bounce', options);
  return [type, await triggerEvent({ body: post.body }, { to, secret: post.secret })];
}

export async function wrong(): Promise<unknown> {
  return [
    // @ts-expect-error no such type
    await triggerEvent('bounced', { to }),
    // @ts-expect-error the receiver is needed
    await triggerEvent('bounce', {}),
    // @ts-expect-error no such option
    await triggerEvent('bounce', { to, header: 'x' }),
    // @ts-expect-error a body is text
    await triggerEvent({ body: { events: [] } }, { to }),
  ];
}
