import { isRecord } from '../../core/record.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { paramIssues } from '../base/param-rules.ts';
import { momentOf } from '../../core/moment.ts';
import { sandboxFilterRule } from './rules.ts';
import type { SandboxMessage, SandboxMessageFilter } from './message-types.ts';
import type { Polling } from '../base/waiting-resource.ts';

/** The maximum number of messages in the error. */
const MAX_NAMED = 5;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * The polling for a message. Each poll reads the inbox from its newest message back to the messages of the previous
 * poll, so it misses none that arrived in between.
 */
export function awaitedMessage(
  operation: string,
  filter: SandboxMessageFilter,
  list: (options: RequestOptions) => Pager<SandboxMessage>,
): Polling<SandboxMessage | undefined> {
  const seen = new Set<unknown>();
  let newest: SandboxMessage[] = [];
  // `check` refuses any other filter, whose fields perhaps cannot be read.
  const { to, subject = '', after }: Partial<SandboxMessageFilter> = isRecord(filter) ? filter : {};
  const isBefore = (message: SandboxMessage) => momentOf(message.created_at) < momentOf(after);
  const isTo = (message: SandboxMessage) =>
    to === undefined ||
    textOf(message.to_email)
      .toLowerCase()
      .split(/[\s,;<>]+/)
      .includes(to.toLowerCase());
  const fits = (message: SandboxMessage) =>
    !isBefore(message) && isTo(message) && textOf(message.subject).includes(subject);
  const poll = async (options: RequestOptions) => {
    newest = [];
    for await (const { items } of list(options).pages()) {
      const messages = items.filter(isRecord);
      newest.push(...messages);
      const found = messages.find(fits);
      if (found) return found;
      const unseen = messages.filter(({ id }) => !seen.has(id));
      unseen.forEach(({ id }) => seen.add(id));
      if (unseen.length < messages.length || unseen.some(isBefore)) break;
    }
    return undefined;
  };
  return {
    operation,
    check: () => paramIssues(sandboxFilterRule(), filter),
    poll,
    isReady: Boolean,
    subject: () => 'no matching message arrived',
    reasonOf: () => {
      const named = newest
        .slice(0, MAX_NAMED)
        .map((message) => `"${textOf(message.subject)}" to ${textOf(message.to_email)}`);
      return `the newest in the inbox: ${named.join(', ') || 'none'}`;
    },
    pollMs: 2_000,
  };
}
