import { created, noContent, ok, orNotFound, route, unprocessable, type Exchange } from '../../route.ts';
import type { World } from '../world.ts';
import { inboxIn, INBOUND } from './endpoint.ts';
import type { RuleRecord } from './record.ts';
import { readRule } from './rules.ts';
import { ruleView } from './view.ts';

const MAX_RULES = 5;

/** The endpoints of the rules of an inbox. */
export function ruleRoutes({ inbound }: World) {
  const found = (exchange: Exchange): RuleRecord =>
    orNotFound(inbound.rule(inboxIn(inbound, exchange), Number(exchange.params.rule_id)));
  return [
    route('GET /inbound/inboxes/{inbox_id}/forward_rules', {
      ...INBOUND,
      handler: (exchange) => ok({ data: inbound.rulesOf(inboxIn(inbound, exchange)).map(ruleView) }),
    }),
    route('POST /inbound/inboxes/{inbox_id}/forward_rules', {
      ...INBOUND,
      handler: (exchange) => {
        const inbox = inboxIn(inbound, exchange);
        const written = readRule(exchange.body(), { name: '', conditions: [], destinations: [] });
        if (inbound.rulesOf(inbox).length >= MAX_RULES) {
          throw unprocessable({ base: [`The limit of ${MAX_RULES} forward rules per inbox is reached`] });
        }
        const { id: inboxId, accountId } = inbox;
        const times = { createdAt: exchange.now, updatedAt: exchange.now };
        return created({
          data: ruleView(inbound.rules.insert({ accountId, inboxId, ...times, ...written })),
        });
      },
    }),
    route('GET /inbound/inboxes/{inbox_id}/forward_rules/{rule_id}', {
      ...INBOUND,
      handler: (exchange) => ok({ data: ruleView(found(exchange)) }),
    }),
    route('PATCH /inbound/inboxes/{inbox_id}/forward_rules/{rule_id}', {
      ...INBOUND,
      handler: (exchange) => {
        const rule = found(exchange);
        Object.assign(rule, readRule(exchange.body(), rule), { updatedAt: exchange.now });
        return ok({ data: ruleView(rule) });
      },
    }),
    route('DELETE /inbound/inboxes/{inbox_id}/forward_rules/{rule_id}', {
      ...INBOUND,
      handler: (exchange) => {
        inbound.rules.remove(found(exchange));
        return noContent();
      },
    }),
  ];
}
