import { messagesOf, type Answers } from '../../answers.ts';
import {
  ok,
  Refusal,
  sendingRefusal,
  type Area,
  type Exchange,
  type Reply,
  type Route,
} from '../../route.ts';
import { ownsDomain } from '../../tokens.ts';
import { createWindow, type EmulatorWindowKind, type RateWindow } from '../../windows.ts';
import type { EmulatorLimit } from '../../limiter.ts';
import type { DomainStore } from '../domains/store.ts';
import type { InboxStore } from '../sandbox/store.ts';
import type { TemplateStore } from '../templates/store.ts';
import { mailsOf } from './batch.ts';
import { capture, send, type Delivery } from './deliver.ts';
import { readMail } from './input.ts';
import type { Mail } from './mail.ts';
import type { EmulatorSendingOptions } from './options.ts';

/** What sending needs of the other areas. */
export interface SendingParts {
  readonly answers: Answers;
  readonly delivery: Delivery;
  readonly domains: DomainStore;
  readonly templates: TemplateStore;
  readonly inboxes: InboxStore;
  readonly options: Readonly<
    Required<Pick<EmulatorSendingOptions, 'unverifiedDomain' | 'maxMailBytes' | 'maxBatchBytes'>>
  >;
  /** How many requests a test inbox accepts. */
  readonly inboxLimit: EmulatorLimit | undefined;
  readonly window: EmulatorWindowKind;
}

/** Accepts one email and returns its message ids, or refuses it. */
type Accept = (mail: Mail) => string[];

/** Sending on the two streams and to test inboxes. */
export function createSending(parts: SendingParts): Area {
  const sending = (call: 'send' | 'batch'): Route => ({
    method: 'POST',
    path: `/api/${call}`,
    hosts: ['send', 'bulk'],
    permission: ['sending', 'admin'],
    handler: (exchange) => answer(parts, exchange, call, accepting(parts, exchange)),
  });
  const windows = new Map<number, RateWindow>();
  const sandbox = (call: 'send' | 'batch'): Route => ({
    method: 'POST',
    path: `/api/${call}/:inbox_id`,
    hosts: ['sandbox'],
    permission: ['sandbox', 'admin'],
    handler: (exchange) => {
      const inbox = parts.inboxes.find(exchange.token.accountId, Number(exchange.params.inbox_id));
      if (inbox === undefined) throw new Refusal(parts.answers.unauthorized('sandbox', 'Unauthorized'));
      if (parts.inboxLimit !== undefined) {
        const window = windows.get(inbox.id) ?? createWindow(parts.window, parts.inboxLimit.perMs);
        windows.set(inbox.id, window);
        const resetAt = window.resetAt(exchange.now);
        if (window.used(exchange.now) >= parts.inboxLimit.requests) {
          throw new Refusal(parts.answers.tooMany('sandbox', 'sandbox', resetAt));
        }
        window.take(exchange.now);
      }
      const ids = call === 'send' ? 'uuid' : 'number';
      return answer(parts, exchange, call, (mail) => capture(parts.delivery, mail, inbox, ids, exchange.now));
    },
  });
  return { routes: [sending('send'), sending('batch'), sandbox('send'), sandbox('batch')] };
}

function accepting(parts: SendingParts, { host, token, now }: Exchange): Accept {
  const stream = host === 'bulk' ? 'bulk' : 'transactional';
  return (mail) => {
    const name = mail.from.email.slice(mail.from.email.lastIndexOf('@') + 1).toLowerCase();
    const domain = parts.domains.named(token.accountId, name);
    const reachable = domain !== undefined && ownsDomain(token, domain.id);
    if (!reachable || !parts.domains.isVerified(domain)) {
      const { answers, options } = parts;
      throw new Refusal(
        options.unverifiedDomain === 'forbidden'
          ? answers.forbidden(host, 'Sending from this domain is not allowed')
          : answers.unauthorized(host, 'Unauthorized'),
      );
    }
    return send(parts.delivery, mail, domain, stream, now);
  };
}

function answer(parts: SendingParts, exchange: Exchange, call: 'send' | 'batch', accept: Accept): Reply {
  const { maxMailBytes, maxBatchBytes } = parts.options;
  if (exchange.size > (call === 'send' ? maxMailBytes : maxBatchBytes)) throw sendingRefusal(413, TOO_LARGE);
  const find = (uuid: string) => parts.templates.withUuid(exchange.token.accountId, uuid);
  const one = (fields: Readonly<Record<string, unknown>>) => {
    const read = readMail(fields, find);
    if ('errors' in read) throw sendingRefusal(400, read.errors);
    return { success: true, message_ids: accept(read.mail) };
  };
  if (call === 'send') return ok(one(exchange.body()));
  const responses = mailsOf(exchange.body()).map((fields) => {
    try {
      if (exchange.size > maxMailBytes && sizeOf(fields) > maxMailBytes) throw sendingRefusal(413, TOO_LARGE);
      return one(fields);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { success: false, errors: messagesOf(error.reply) };
    }
  });
  return ok({ success: true, responses });
}

const TOO_LARGE = 'The message is too large';

function sizeOf(fields: Readonly<Record<string, unknown>>): number {
  return new TextEncoder().encode(JSON.stringify(fields)).length;
}
