import { ok, type Area } from '../../route.ts';
import { inBothForms } from '../forms.ts';
import type { LogStore } from '../logs/store.ts';
import type { InboxStore } from '../sandbox/store.ts';
import type { Outbox } from '../sending/outbox.ts';

/** What billing counts, and whether it allows campaigns to be sent. */
export interface BillingParts {
  readonly logs: LogStore;
  readonly outbox: Outbox;
  readonly inboxes: InboxStore;
  readonly billing: { readonly withinLimits: boolean };
}

const PLAN = { sent: 10_000, captured: 5000, forwarded: 100 };

/** What an account has used in the month. As recorded, there is no part about campaigns. */
export function createBilling({ logs, outbox, inboxes, billing }: BillingParts): Area {
  return {
    routes: inBothForms('/billing/usage', () => ({
      method: 'GET',
      permission: ['billing', 'viewer'],
      handler: ({ token, now }) => {
        const [start, end] = monthOf(now);
        const sent = logs
          .sorted(token.accountId)
          .filter(({ sentAt }) => sentAt >= start && sentAt <= now).length;
        const own = new Set(inboxes.of(token.accountId).map(({ id }) => id));
        return ok({
          billing: { cycle_start: new Date(start).toISOString(), cycle_end: new Date(end).toISOString() },
          testing: {
            plan: { name: 'Individual' },
            usage: {
              sent_messages_count: { current: outbox.captured(own, start), limit: PLAN.captured },
              forwarded_messages_count: { current: 0, limit: PLAN.forwarded },
            },
          },
          sending: {
            plan: { name: 'Basic 10K' },
            usage: {
              sent_messages_count: {
                current: billing.withinLimits ? sent : Math.max(sent, PLAN.sent),
                limit: PLAN.sent,
              },
            },
          },
        });
      },
    })),
  };
}

/** The beginning of the month, and its last millisecond. */
function monthOf(now: number): [number, number] {
  const date = new Date(now);
  const at = (month: number) => Date.UTC(date.getUTCFullYear(), month);
  return [at(date.getUTCMonth()), at(date.getUTCMonth() + 1) - 1];
}
