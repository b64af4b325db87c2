import { route, type Exchange } from '../../routing/route.ts';
import { sendingRefusal, ok, Refusal, type Reply } from '../../wire/reply.ts';
import { fits, plainObject } from '../../../declare/kind.ts';
import { messagesOf } from '../../state/account/answers.ts';
import type { DomainRecord } from '../../state/account/domains.ts';
import { ownsDomain } from '../../state/account/tokens.ts';
import { templateParser } from '../../state/account/templates.ts';
import type { World } from '../../state/world.ts';
import { capture, send } from '../../state/delivery/deliver.ts';
import { readMail, type KnownTemplates } from './input.ts';
import type { Mail } from '../../state/emails/mail.ts';
import { MAY_BE_EMPTY, type KnownParts } from './parts.ts';

const MAX_REQUESTS = 500;

/** Returns the emails of a batch, each combined with `base`. Refuses the whole call if its structure is invalid. */
export function mailsOf(body: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { base = {}, requests } = body;
  const refuse = (message: string) => sendingRefusal(400, message);
  if (!Array.isArray(requests) || requests.length === 0) throw refuse("'requests' must be a non-empty array");
  if (requests.length > MAX_REQUESTS) throw refuse(`'requests' must not exceed ${MAX_REQUESTS} emails`);
  if (base !== null && !fits(plainObject, base)) throw refuse("'base' must be an object");
  const shared = base ?? {};
  for (const name of ['to', 'cc', 'bcc'])
    if (Object.hasOwn(shared, name)) throw refuse(`'base' must not have '${name}'`);
  return requests.map((request: unknown) => {
    if (!fits(plainObject, request)) throw refuse("'requests' must hold objects");
    const mail: Record<string, unknown> = { ...shared, ...request };
    for (const name of MAY_BE_EMPTY) if (mail[name] === '') mail[name] = shared[name];
    return mail;
  });
}

type Call = 'send' | 'batch';
/** Accepts one email and returns its message ids, or refuses it. */
type Accept = (mail: Mail) => string[];

const STREAMS = { area: 'sending', hosts: ['send', 'bulk'], forms: ['token'] } as const;
const SANDBOX = { area: 'sandbox', hosts: ['sandbox'], forms: ['token'] } as const;

/** The endpoints of sending on the two streams and to test inboxes. */
export function sendingRoutes(world: World) {
  const { inboxes, inboxLimiter, answers } = world;
  const parse = templateParser();
  const toInbox = (call: Call) => (exchange: Exchange) => {
    const { token, params, now } = exchange;
    const inbox = inboxes.find(token.accountId, Number(params.inbox_id));
    if (inbox === undefined) throw new Refusal(answers.unauthorized('sandbox', 'Unauthorized'));
    const resetAt = inboxLimiter.take(inbox.id, now);
    if (resetAt !== undefined) throw new Refusal(answers.tooMany('sandbox', 'sandbox', resetAt));
    const ids = call === 'send' ? 'uuid' : 'number';
    return answer(world, exchange, call, parse, (mail) => capture(world, mail, inbox, ids, now));
  };
  const calls = ['send', 'batch'] as const;
  const handler = (call: Call) => (exchange: Exchange) =>
    answer(world, exchange, call, parse, accepting(world, exchange));
  return [
    ...calls.map((call) => route(`POST /${call}`, STREAMS, handler(call))),
    ...calls.map((call) => route(`POST /${call}/{inbox_id}`, SANDBOX, toInbox(call))),
  ];
}

function accepting(world: World, { host, token, now }: Exchange): Accept {
  const { domains, answers, settings } = world;
  const stream = host === 'bulk' ? 'bulk' : 'transactional';
  return (mail) => {
    const name = mail.from.email.slice(mail.from.email.lastIndexOf('@') + 1).toLowerCase();
    const domain = domains.named(token.accountId, name);
    const reachable = domain !== undefined && ownsDomain(token, domain.id);
    if (reachable && domains.isVerified(domain)) return send(world, mail, domain, stream, now);
    const { json, status } =
      settings.sending.unverifiedDomain === 'forbidden'
        ? answers.forbidden(host, 'Sending from this domain is not allowed')
        : answers.unauthorized(host, 'Unauthorized');
    const [cause, ...cure] = causeOf(name, domain, reachable);
    const mine = domains.of(token.accountId).filter(({ id }) => ownsDomain(token, id));
    const names = mine.flatMap((one) => (domains.isVerified(one) ? one.name : [])).slice(0, 5);
    const told = [cause, `the token may send from ${names.join(', ') || 'no domain'}`, ...cure].join('; ');
    throw new Refusal({ json, status, cause: told, told });
  };
}

/** Why the domain of a sender may not send, and how it may. */
function causeOf(
  name: string,
  domain: DomainRecord | undefined,
  isReachable: boolean,
): [string, ...string[]] {
  if (domain !== undefined && !isReachable)
    return [`The token may not send from the sender's domain ${name}`];
  const [what, call] =
    domain === undefined
      ? ['is not a sending domain of the account', `add({ name: '${name}' })`]
      : ['is not verified', `setVerified(${domain.id}, true)`];
  const cure = `to verify it, call emulator.domains.${call}. From another process, get emulator (started with --control or --open) from connectEmulator(EMAIL_PLATFORM_CONTROL_URL, { controlToken: EMAIL_PLATFORM_CONTROL_TOKEN }) of email-platform/testing`;
  return [`The sender's domain ${name} ${what}`, cure];
}

function answer(
  world: World,
  exchange: Exchange,
  call: Call,
  parse: KnownTemplates['parse'],
  accept: Accept,
): Reply {
  const { maxMailBytes, maxBatchBytes } = world.settings.sending;
  if (exchange.size > (call === 'send' ? maxMailBytes : maxBatchBytes)) throw sendingRefusal(413, TOO_LARGE);
  const find = (uuid: string) => world.templates.withUuid(exchange.token.accountId, uuid);
  const templates: KnownTemplates = { find, parse };
  const known: KnownParts = new WeakMap();
  const one = (fields: Readonly<Record<string, unknown>>) => {
    const read = readMail(fields, templates, known);
    if ('errors' in read) throw sendingRefusal(400, read.errors);
    return { success: true, message_ids: accept(read.mail) };
  };
  if (call === 'send') return ok(one(exchange.body()));
  let cause: string | undefined;
  const responses = mailsOf(exchange.body()).map((fields) => {
    try {
      if (exchange.size > maxMailBytes && sizeOf(fields) > maxMailBytes) throw sendingRefusal(413, TOO_LARGE);
      return one(fields);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      cause ??= error.reply.cause ?? messagesOf(error.reply)[0];
      return { success: false, errors: messagesOf(error.reply) };
    }
  });
  return { ...ok({ success: true, responses }), ...(cause !== undefined && { cause }) };
}

const TOO_LARGE = 'The message is too large';
const sizeOf = (fields: object): number => new TextEncoder().encode(JSON.stringify(fields)).length;
