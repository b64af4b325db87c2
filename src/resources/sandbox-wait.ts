import { isRecord } from '../core/record.ts';
import type { Pager } from '../core/pager.ts';
import type { RequestOptions } from '../core/request.ts';
import { paramIssues } from '../models/check.ts';
import { momentOf } from '../models/moment.ts';
import { sandboxFilterRule } from '../models/sandbox-checks.ts';
import type { SandboxMessage, SandboxMessageFilter } from '../models/sandbox-messages.ts';
import { idOf } from './readers.ts';
import type { Polling } from './waiting-resource.ts';

/** Messages that the error names. */
const MAX_NAMED = 5;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * How a message is waited for. Each poll reads the inbox from its newest message on, as far as nothing was read before:
 * however many come between two polls, none is missed.
 */
export function awaitedMessage(
  operation: string,
  filter: SandboxMessageFilter,
  list: (options: RequestOptions) => Pager<SandboxMessage>,
): Polling<SandboxMessage | undefined> {
  const seen = new Set<unknown>();
  let newest: readonly SandboxMessage[] = [];
  let polls = 0;
  let arrived = 0;
  const isBefore = ({ created_at }: SandboxMessage) =>
    Date.parse(textOf(created_at)) < momentOf(filter.after);
  const fits = (message: SandboxMessage) =>
    isRecord(message) &&
    !isBefore(message) &&
    (filter.to === undefined ||
      textOf(message.to_email)
        .toLowerCase()
        .split(/[\s,;<>]+/)
        .includes(filter.to.toLowerCase())) &&
    textOf(message.subject).includes(filter.subject ?? '');
  const poll = async (options: RequestOptions) => {
    const fresh: SandboxMessage[] = [];
    for await (const { items } of list(options).pages()) {
      const found = items.find(fits);
      if (found) return found;
      const unseen = items.filter((message) => isRecord(message) && !seen.has(idOf(message)));
      unseen.forEach((message) => seen.add(idOf(message)));
      fresh.push(...unseen);
      if (unseen.length < items.length || unseen.some(isBefore)) break;
    }
    if (polls++ > 0) arrived += fresh.length;
    newest = [...fresh, ...newest].slice(0, MAX_NAMED);
    return undefined;
  };
  return {
    operation,
    check: () => paramIssues(sandboxFilterRule, filter),
    poll,
    isReady: (message) => message !== undefined,
    subject: () => 'no such message came',
    reasonOf: () => {
      const named = newest.map(({ subject, to_email }) => `"${textOf(subject)}" to ${textOf(to_email)}`);
      return `others that came meanwhile: ${arrived}; the newest in the inbox: ${named.join(', ') || 'none'}`;
    },
    pollMs: 2_000,
  };
}
