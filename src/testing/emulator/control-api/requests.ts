/**
 * The request of the control API for each method of the emulator. The guide and the OpenAPI document show its `words`,
 * which repeat the first sentence of the method's docstring.
 */
import { arrayOf, flag, oneOf, positive, text, time, type Kind } from '../../declare/kind.ts';
import { CAMPAIGN_STATES } from '../../service/state/delivery/campaigns.ts';
import { optional, type Argument } from '../../service/routing/control.ts';
import { snapshotKind } from '../../service/state/snapshot.ts';
import {
  capturedMessages,
  clockState,
  domains,
  inboundInbox,
  messages,
  pendingFaults,
  received,
  requests,
  shownMessages,
  shownRequests,
  template,
  webhookPost,
} from './results.ts';

/** The request that calls a method of the emulator. */
export interface ControlRequest {
  /**
   * HTTP method and path. Names in braces are arguments. The other arguments are in the query of a GET or DELETE, and in
   * the body of another request. If two methods have the same line, the request calls the one with more arguments.
   */
  readonly line: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  readonly words: string;
  /** A sentence of the docstring about a call that is not true of a request. */
  readonly inProcess?: string;
  /** The argument whose fields are the query or the body. */
  readonly body?: string;
  /** The kind of the method's result; `undefined` for nothing. */
  readonly returns?: Kind;
  /** The field of the response with the result. By default, the result is the whole response. */
  readonly as?: string;
  /** The response instead of the result: the values of the methods with the same `state`, by their `as`. */
  readonly state?: Kind;
  /** The kind of the response, if it has more fields than the result. */
  readonly extended?: Kind;
  /** Default values of arguments that are optional in a request only. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Fields of the query that are not arguments of a method. */
  readonly query?: Readonly<Record<string, Argument>>;
}

const CLOCK = { state: clockState };
const MESSAGES = { line: 'GET /messages', body: 'filter', returns: messages, as: 'messages' } as const;

const REQUESTS: Readonly<Record<string, ControlRequest>> = {
  'clock.now': {
    line: 'GET /clock',
    words: 'Returns the current time of the emulator, in milliseconds since the Unix epoch.',
    returns: time,
    as: 'now',
    ...CLOCK,
  },
  'clock.isPaused': {
    line: 'GET /clock',
    words: 'Whether the clock is paused.',
    returns: flag,
    as: 'paused',
    ...CLOCK,
  },
  'clock.advance': { line: 'POST /clock/advance', words: 'Advances the clock.', ...CLOCK },
  'clock.set': { line: 'POST /clock/set', words: 'Advances the clock to a time.', ...CLOCK },
  'clock.pause': {
    line: 'POST /clock/pause',
    words: 'Lets the clock stand still: from now on only `advance` and `set` move it.',
    ...CLOCK,
  },
  'clock.resume': {
    line: 'POST /clock/resume',
    words: 'Lets a paused clock go on, from the time that it shows.',
    ...CLOCK,
  },
  'faults.next': { line: 'POST /faults', words: 'Makes the next matching requests fail.', body: 'fault' },
  'faults.list': {
    line: 'GET /faults',
    words: 'Returns the faults that have not been used up, in their order.',
    returns: pendingFaults,
    as: 'faults',
  },
  'faults.pause': {
    line: 'POST /faults/{id}/pause',
    words: 'Pauses a fault: requests pass it.',
  },
  'faults.resume': { line: 'POST /faults/{id}/resume', words: 'Makes a paused fault apply again.' },
  'faults.remove': { line: 'DELETE /faults/{id}', words: 'Removes one fault.' },
  'faults.clear': { line: 'DELETE /faults', words: 'Removes every fault that has not been used.' },
  requests: {
    line: 'GET /requests',
    words: 'The most recent requests (at most 10,000), oldest first.',
    returns: requests,
    as: 'requests',
  },
  waitForRequests: {
    line: 'GET /requests',
    words: 'Returns the requests that fit and have their responses, oldest first.',
    body: 'filter',
    returns: requests,
    as: 'requests',
    extended: shownRequests,
    defaults: { waitMs: 0 },
  },
  mark: {
    line: 'PUT /mark',
    words: 'Names the test that runs now: reports and the page show the name beside what follows.',
  },
  reset: {
    line: 'POST /reset',
    words:
      'Restores the initial state: the seed and the clock, with no faults, no requests and unused limits.',
  },
  snapshot: {
    line: 'GET /snapshot',
    words:
      'Returns the state of the emulator, with its tokens and all emails: every area, the clock, the random streams, and the counts of the rate-limit windows.',
    returns: snapshotKind,
  },
  restore: {
    line: 'PUT /snapshot',
    words: "Gives the emulator the state of a snapshot, its own or another emulator's.",
    body: 'snapshot',
  },
  'domains.add': {
    line: 'POST /domains',
    words: 'Adds a domain, which is verified unless `verified` is `false`.',
    body: 'domain',
    returns: positive,
    as: 'id',
  },
  'domains.setVerified': {
    line: 'POST /domains/{id}/verified',
    words: 'Makes the DNS records of a domain pass or fail.',
  },
  'domains.list': {
    line: 'GET /domains',
    words: 'Returns every domain, of every account.',
    returns: domains,
    as: 'domains',
  },
  'campaigns.add': {
    line: 'POST /campaigns',
    words: 'Adds a campaign that is ready to send, unless its fields say otherwise.',
    body: 'fields',
    returns: positive,
    as: 'id',
  },
  'campaigns.setState': {
    line: 'POST /campaigns/{id}/state',
    words: 'Puts a campaign into any state, even one that no request leads to.',
  },
  'campaigns.stateOf': {
    line: 'GET /campaigns/{id}/state',
    words: 'Returns the current state of a campaign.',
    returns: oneOf(CAMPAIGN_STATES),
    as: 'state',
  },
  'sandbox.add': { line: 'POST /sandbox/inboxes', words: 'Adds a test inbox.', returns: positive, as: 'id' },
  'sandbox.messages': {
    line: 'GET /sandbox/messages',
    words: 'Returns the emails that a test inbox captured, or those of every inbox, oldest first.',
    returns: messages,
    as: 'messages',
    extended: capturedMessages,
  },
  createToken: {
    line: 'POST /tokens',
    words:
      "Creates another API token: with less access (`'none'`, `'viewer'` or `'admin'` for each area), for some domains only, or for another account.",
    body: 'options',
    returns: text,
    as: 'token',
  },
  organizationId: {
    line: 'GET /organization',
    words: 'The id of the organization that the account of `clientOptions` belongs to.',
    returns: positive,
    as: 'id',
  },
  setBilling: {
    line: 'PUT /billing',
    words: "Sets whether the account's billing allows campaigns to be sent: `'exceeded'` prevents it.",
  },
  'templates.add': {
    line: 'POST /templates',
    words: 'Adds a template, also one that was made in the visual editor.',
    body: 'template',
    returns: template,
    as: 'template',
  },
  'templates.replace': {
    line: 'PUT /templates',
    words:
      'Replaces the templates from folders, as after a change of their files: a template of the same folder keeps its id, and one whose folder is gone is removed.',
  },
  messages: {
    ...MESSAGES,
    words:
      'Returns the accepted emails that fit, sent or captured: one message for each recipient, oldest first.',
  },
  unsubscribe: {
    line: 'POST /messages/{message}/unsubscribe',
    words: 'Unsubscribes the recipient of an email, as the link in the email does.',
  },
  waitForMessages: {
    ...MESSAGES,
    words: 'Returns the accepted emails that fit, oldest first, as soon as there is one.',
    inProcess: 'Rejects if none comes in 4 seconds, or in `waitMs`.',
    extended: shownMessages,
    defaults: { waitMs: 0 },
    query: { attachmentContent: optional(flag) },
  },
  'logs.add': {
    line: 'POST /logs',
    words: 'Adds a message to the log as if it had been sent, now or at another time.',
    body: 'fields',
    returns: text,
    as: 'id',
  },
  'logs.addMany': {
    line: 'POST /logs/many',
    words: 'Adds many messages to the log.',
    returns: arrayOf('ids', text),
    as: 'ids',
  },
  'webhooks.signatureHeader': {
    line: 'GET /webhooks/signature-header',
    words: 'The name of the header with the signature.',
    returns: text,
    as: 'name',
  },
  'webhooks.posts': {
    line: 'GET /webhooks/posts',
    words: 'The most recent posts (at most 10,000), oldest first.',
    returns: arrayOf('posts', webhookPost),
    as: 'posts',
  },
  'webhooks.settled': {
    line: 'POST /webhooks/settled',
    words: 'Resolves when every post that is due has been made and its response has arrived.',
  },
  'webhooks.flush': {
    line: 'POST /webhooks/flush',
    words:
      'Posts the events that have happened up to now, without the 30 seconds of the clock in which they are gathered.',
  },
  'webhooks.redeliver': {
    line: 'POST /webhooks/posts/{id}/redeliver',
    words: 'Makes a post once more, with the same body, and returns it with its response.',
    returns: webhookPost,
    as: 'post',
  },
  'webhooks.emit': {
    line: 'POST /webhooks/events',
    words:
      'Adds an event to every webhook of a type, such as an event of the audit log, which the emulator does not write itself.',
  },
  'inbound.add': {
    line: 'POST /inbound/inboxes',
    words: 'Adds an inbox in a new folder, hosted by the service.',
    returns: inboundInbox,
  },
  'inbound.receive': {
    line: 'POST /inbound/receive',
    words: 'Delivers an email to one or more inboxes.',
    body: 'email',
    returns: received,
    as: 'received',
  },
};

/** The request for a method of the emulator. */
export function requestFor(name: string): ControlRequest {
  const request = Object.hasOwn(REQUESTS, name) ? REQUESTS[name] : undefined;
  if (request === undefined) throw new Error(`The control API has no request for ${name}`);
  return request;
}

/** The names of the methods that have requests. */
export const requestNames = (): string[] => Object.keys(REQUESTS);
