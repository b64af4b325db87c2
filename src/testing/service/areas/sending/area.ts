import { flag, type Kind, objectOf, oneOf, text, time, wholeFrom } from '../../../declare/kind.ts';
import { control, type Control, needed, optional } from '../../routing/control.ts';
import type { EmulatorMessageFilter, EmulatorMessageWait } from './control-types.ts';
import type { NextEmails } from '../../state/emails/emulator-mail.ts';
import { waitMs } from '../../../common/waiters.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { headerOf } from '../../state/emails/mail.ts';
import { comparable } from '../../../reading/text/text-flow.ts';
import { InboxLimiter } from '../../state/inboxes/inbox-limiter.ts';
import { Readers } from '../../state/delivery/readers.ts';
import {
  type Arrival,
  type Copy,
  type EmulatorMessage,
  Outbox,
  sendingOptions,
} from '../../state/emails/outbox.ts';
import { messages, shownMessages } from '../../state/emails/message-kind.ts';
import { sendingRoutes } from './routes.ts';

const stream = oneOf(['transactional', 'bulk', 'sandbox'] satisfies EmulatorMessage['stream'][]);

const fields = { to: text, stream, subject: text, since: time, after: wholeFrom(0) };
const messageFilter = objectOf<EmulatorMessageFilter>(fields);
const messageWait = objectOf<EmulatorMessageWait>({ ...fields, waitMs });

/** In a path, an email is its id. */
const messageOrId: Kind = {
  what: 'an email, or its id',
  hasType: (value) => typeof (Object(value) as { id?: unknown }).id === 'string' || typeof value === 'string',
  form: { type: 'string' },
};

/** The default of `waitMs`, in milliseconds: shorter than a test of Vitest and Jest, so that the error is seen. */
export const WAIT_MS = 4_000;

/** Returns a test whether an email fits a filter. It runs for each email and each waiter, so it is cheap. */
function fitting({ to, stream: wanted, subject, since = -Infinity, after = 0 }: EmulatorMessageFilter) {
  const address = to?.toLowerCase();
  const title = subject === undefined ? undefined : comparable(subject);
  return (copy: Copy, number: number) =>
    copy.at >= since &&
    number > after &&
    (wanted === undefined || copy.stream === wanted) &&
    (address === undefined || copy.recipient.email.toLowerCase() === address) &&
    // Last, because the subject of a campaign's email is rendered for it.
    (title === undefined || comparable(copy.mail.subject) === title);
}

/** The most emails that the error lists. */
const NAMED = 5;

/** The error after a wait without an email: the filter, and the other emails. */
function nothingCame(
  { waitMs: most, since, ...filter }: EmulatorMessageWait,
  all: readonly EmulatorMessage[],
) {
  const fields = Object.entries(filter as Record<string, unknown>).filter(([, value]) => value !== undefined);
  const wanted = fields.map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  if (since !== undefined) wanted.push(`since ${new Date(since).toISOString()}`);
  const shown = ({ to, subject, stream: own, at }: EmulatorMessage) =>
    `"${subject}" to ${to} (${own}, ${new Date(at).toISOString()})`;
  const others = all.slice(-NAMED).map(shown);
  const more = all.length > NAMED ? ` (the last ${NAMED} of ${all.length})` : '';
  return new Error(
    `No email${wanted.length > 0 ? ` with ${wanted.join(', ')}` : ''} came within ${most} ms. ` +
      (all.length === 0 ? 'There is no email at all.' : `There are others${more}: ${others.join('; ')}`),
  );
}

/** Waits for emails for a mailbox, in the current world. Uses no timer, because a test may have fake timers. */
export const nextEmails =
  (world: () => World): NextEmails =>
  async ({ after, to }, signal) => {
    const fits = fitting({ after, ...(to !== undefined && { to }) });
    const there = (since: number) => world().outbox.messages(fits, since);
    const newest = Math.max(after, world().arrivals.last);
    const found = there(after);
    if (found.length > 0) return signal.aborted ? [] : found;
    const comes = ({ copy, number }: Arrival) => fits(copy, number);
    await world().arrivals.wait(comes, Infinity, signal, to?.toLowerCase());
    return signal.aborted ? [] : there(newest);
  };

/** The line of two controls: a request with `wait_ms` waits. */
export const MESSAGES = 'GET /messages';
const IN_MESSAGES = { body: 'filter', returns: messages, as: 'messages' };

/** The controls of accepted emails. */
export const sendingControls: Readonly<Record<'messages' | 'unsubscribe' | 'waitForMessages', Control>> = {
  messages: control<(filter?: EmulatorMessageFilter) => EmulatorMessage[]>(
    MESSAGES,
    { takes: { filter: optional(messageFilter) }, ...IN_MESSAGES },
    ({ outbox }, filter = {}) => outbox.messages(fitting(filter)),
  ),
  unsubscribe: control<(message: Pick<EmulatorMessage, 'id'> | string) => Promise<void>>(
    'POST /messages/{message}/unsubscribe',
    { takes: { message: needed(messageOrId) }, waiting: {} },
    async ({ outbox, logs, readers, clock, deliver }, message) => {
      const id = typeof message === 'string' ? message : message.id;
      const record = logs.anywhere(id);
      const own = oneClickAddress(outbox.find(id)?.mail.headers ?? {});
      if (own === undefined) {
        if (record === undefined) throw new RangeError(`No email with the id ${id} was sent`);
        readers.decide('unsubscribe', record, clock.now());
        return;
      }
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      const { ok, status } = await deliver(new Request(own, { method: 'POST', body }));
      if (!ok) throw new Error(`${own.split('?', 1)[0]} refused the one-click POST with status ${status}`);
    },
  ),
  waitForMessages: control<(filter?: EmulatorMessageWait) => Promise<EmulatorMessage[]>>(
    MESSAGES,
    {
      takes: { filter: optional(messageWait) },
      ...IN_MESSAGES,
      extended: shownMessages,
      defaults: { waitMs: 0 },
      query: { attachmentContent: optional(flag) },
      waiting: {
        filled: ([filter]) => [{ ...(filter as EmulatorMessageWait | undefined), waitMs: waitOf(filter) }],
        async judge(result, [filter], again) {
          if ((result as EmulatorMessage[]).length > 0 || waitOf(filter) === 0) return;
          throw nothingCame(
            filter as EmulatorMessageWait,
            (await again({ waitMs: 0 })) as readonly EmulatorMessage[],
          );
        },
      },
    },
    async ({ outbox, arrivals }, { waitMs: most = 0, ...filter } = {}, signal?: AbortSignal) => {
      const fits = fitting(filter);
      const there = outbox.messages(fits);
      if (there.length > 0) return there;
      const comes = ({ copy, number }: Arrival) => fits(copy, number);
      const found = await arrivals.wait(comes, most, signal, filter.to?.toLowerCase());
      return found.map(({ message }) => message());
    },
  ),
};

/** The address of an email that takes the one-click POST of its provider; `undefined` if it has none of its own. */
function oneClickAddress(headers: Readonly<Record<string, string>>): string | undefined {
  const isPosted = headerOf(headers, 'list-unsubscribe-post') !== undefined;
  return isPosted ? /<(https:[^<>\s]+)>/i.exec(headerOf(headers, 'list-unsubscribe') ?? '')?.[1] : undefined;
}

const waitOf = (filter: unknown): number => (filter as EmulatorMessageWait | undefined)?.waitMs ?? WAIT_MS;

/** Sending on the two streams and to test inboxes. */
export const sending = area<'outbox' | 'inboxLimiter' | 'readers', 'sending'>({
  name: 'sending',
  options: { sending: sendingOptions },
  keep: (world) => ({
    outbox: new Outbox(world.state, world.settings.sending.keep, world),
    inboxLimiter: new InboxLimiter(world),
    readers: new Readers(world),
  }),
  routes: sendingRoutes,
  controls: sendingControls,
});
