import { oneOf } from '../../../declare/kind.ts';
import { control, needed } from '../../routing/control.ts';
import { iso } from '../../../encoding/iso.ts';
import { route } from '../../routing/route.ts';
import { ok } from '../../wire/reply.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';

const PLAN = { sent: 10_000, captured: 5000, forwarded: 100 };

/** The endpoint of an account's usage in the month. As recorded, it has no part about campaigns. */
function billingRoutes({ logs, outbox, inboxes, billing }: World) {
  return [
    route(
      'GET /billing/usage',
      { area: 'billing', inferred: 'the names of the plans, and their limits' },
      ({ token, now }) => {
        const [start, end] = monthOf(now);
        const sent = logs.sentBetween(token.accountId, start, now);
        const own = new Set(inboxes.of(token.accountId).map(({ id }) => id));
        return ok({
          billing: { cycle_start: iso(start), cycle_end: iso(end) },
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
    ),
  ];
}

/** The beginning of the month, and its last millisecond. */
function monthOf(now: number): [number, number] {
  const date = new Date(now);
  const at = (month: number) => Date.UTC(date.getUTCFullYear(), month);
  return [at(date.getUTCMonth()), at(date.getUTCMonth() + 1) - 1];
}

/** The usage of an account, and whether its billing allows campaigns. */
export const billing = area<'billing'>({
  name: 'billing',
  keep: ({ state }) => ({ billing: state.part('billing', { withinLimits: true }) }),
  routes: billingRoutes,
  controls: {
    setBilling: control<(state: 'within-limits' | 'exceeded') => void>(
      'PUT /billing',
      { takes: { state: needed(oneOf(['within-limits', 'exceeded'])) } },
      (world, state) => {
        world.billing.withinLimits = state === 'within-limits';
      },
    ),
  },
});
