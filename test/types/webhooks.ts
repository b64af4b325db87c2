import type { ApiPromise, EmailPlatform, Pager, SendResult } from 'email-platform';
import {
  readWebhook,
  verifyWebhook,
  type AuditEvent,
  type InboundEvent,
  type SendingEvent,
  type WebhookEvent,
} from 'email-platform/webhooks';
import type { Same } from './same.ts';

const url = 'https://shop.example.com/hooks';

export function right({ webhooks, inbound }: EmailPlatform, bytes: Uint8Array): unknown[] {
  const created: ApiPromise<EmailPlatform.CreatedWebhook> = webhooks.create({
    url,
    webhook_type: 'email_sending',
    sending_stream: 'bulk',
    event_types: ['delivery', 'new_one'],
    domain_id: undefined,
  });
  const list: Pager<EmailPlatform.Webhook, EmailPlatform.WebhookPage> = webhooks.list({ priority: 'low' });
  const messages: Pager<EmailPlatform.InboundMessage, EmailPlatform.InboundMessagePage> =
    inbound.messages.list(1, { last_id: 'x' });
  const found: Pager<EmailPlatform.InboundThreadSummary, EmailPlatform.InboundThreadPage> =
    inbound.threads.list(1, {
      search: 'order',
      last_id: 'x',
    });
  const message: ApiPromise<EmailPlatform.InboundMessageDetails> = inbound.messages.get(1, '2');
  const thread: ApiPromise<EmailPlatform.InboundThread> = inbound.threads.get(1, '2');
  const attachments = [{ filename: 'a', content: bytes }];
  const reply: ApiPromise<SendResult> = inbound.messages.replyAll(1, '2', { text: 'x', attachments });
  const rule: ApiPromise<EmailPlatform.ForwardRule> = inbound.forwardRules.create(1, {
    name: 'x',
    destinations: [],
  });
  return [
    [created, list, messages, found, message, thread, reply, rule],
    webhooks.create({ url, webhook_type: 'audit_log', payload_format: 'jsonlines' }),
    webhooks.create({ url, webhook_type: 'inbound_receiving' }),
    webhooks.update(1, { active: true }),
    inbound.messages.forward(1, '2', { to: [{ email: 'a@b.c' }] }),
    inbound.messages.forward(1, '2', { to: 'Ann <a@b.c>', from: 'b@b.c' }),
    inbound.messages.reply(1, '2', { cc: { email: 'a@b.c' }, bcc: ['b@b.c'], text: 'x' }),
  ];
}

export function missingAtTimes(
  webhook: EmailPlatform.Webhook,
  message: EmailPlatform.InboundMessage,
  thread: EmailPlatform.InboundThread,
): unknown[] {
  const events: readonly string[] = webhook.event_types ?? [];
  const copies: readonly string[] = message.cc ?? [];
  const [first] = thread.messages;
  const status: EmailPlatform.EmailLogStatus | undefined = first?.delivery?.status;
  const rule: number | undefined = first?.forwards?.[0]?.rule_id;
  // @ts-expect-error a webhook of the audit log may have no events
  const certain: readonly string[] = webhook.event_types;
  // @ts-expect-error a message may lack headers
  const references: readonly string[] = message.references;
  // @ts-expect-error a thread may have no files
  const files: readonly object[] = thread.attachments;
  return [events, copies, status, rule, first?.message_group_id, certain, references, files];
}

export async function receiving(
  request: Request,
  node: { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  body: Uint8Array,
  signature?: string,
): Promise<void> {
  const secret = ['a', 'b'] as const;
  const verified: Promise<void> = verifyWebhook({ payload: body, signature, secret });
  const events: WebhookEvent[] = await readWebhook(request, { secret, signatureHeader: 'x' });
  const found: WebhookEvent[] = await readWebhook(request, { secret });
  await Promise.all([
    verified,
    readWebhook({ payload: 'x', signature: null }, { secret: 'a' }),
    readWebhook({ payload: body, headers: node.headers }, { secret }),
    verifyWebhook({ payload: body, headers: request.headers, secret }),
  ]);
  events.push(...found);
  for (const event of events) events.push(event);
}

/** The kind of an event, and then its type, tell what else is there. */
export function told(event: WebhookEvent): unknown {
  switch (event.kind) {
    case 'sending':
      switch (event.event_type) {
        case 'click':
          return event.url;
        case 'bounce':
        case 'soft_bounce':
          return event.response_code?.toFixed();
        case 'suspension':
        case 'reject':
          return event.reason;
        case 'open':
        case 'unsubscribe':
          return event.user_agent;
        case 'delivery':
        case 'spam':
          return event.message_id;
      }
    // oxlint-disable-next-line no-fallthrough -- all types return
    case 'audit': {
      // The service itself has only a name.
      const {
        id,
        type,
        name,
      }: { id?: number | string | undefined; type?: string | undefined; name: string } = event.actor;
      const resource: number | string | undefined = event.resource?.id;
      return `${type ?? ''} ${id ?? ''} ${name} ${resource ?? ''}`;
    }
    case 'inbound':
      return event.inbox_id.toFixed();
    case 'unknown':
      return event.anything;
  }
}

export const kinds: Same<
  Extract<WebhookEvent, { kind: 'sending' | 'audit' | 'inbound' }>,
  SendingEvent | AuditEvent | InboundEvent
> = true;

export function wrong({ webhooks, inbound }: EmailPlatform, event: WebhookEvent): unknown[] {
  return [
    // @ts-expect-error the events are required
    webhooks.create({ url, webhook_type: 'email_sending', sending_stream: 'bulk' }),
    // @ts-expect-error the stream is required
    webhooks.create({ url, webhook_type: 'email_sending', event_types: ['open'] }),
    // @ts-expect-error an inbox has no stream
    webhooks.create({ url, webhook_type: 'inbound_receiving', sending_stream: 'bulk' }),
    // @ts-expect-error the type cannot change
    webhooks.update(1, { webhook_type: 'campaigns' }),
    // @ts-expect-error only the result of `create` has the secret
    ({} as EmailPlatform.Webhook).signing_secret,
    // @ts-expect-error the id of a message is text
    inbound.messages.get(1, 2),
    // @ts-expect-error only threads can be searched
    inbound.messages.list(1, { search: 'order' }),
    // @ts-expect-error an inbox is in a folder
    inbound.inboxes.get(1),
    // @ts-expect-error somebody has to receive it
    inbound.messages.forward(1, '2', { text: 'x' }),
    // @ts-expect-error the subject is that of the message
    inbound.messages.reply(1, '2', { subject: 'x', text: 'x' }),
    // @ts-expect-error the signature is needed, or the headers
    readWebhook({ payload: 'x' }, { secret: 'a' }),
    // @ts-expect-error the headers are needed, not one of them
    verifyWebhook({ payload: 'x', headers: 'x', secret: 'a' }),
    // @ts-expect-error a parsed body cannot be verified
    readWebhook({ payload: { events: [] }, signature: 'x' }, { secret: 'a' }),
    // @ts-expect-error a secret is required
    verifyWebhook({ payload: 'x', signature: 'x' }),
    // @ts-expect-error not every event has a recipient
    event.email,
  ];
}
