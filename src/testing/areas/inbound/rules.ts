import { created, noContent, notFound, ok, unprocessable, type Exchange, type Route } from '../../route.ts';
import { emailError } from '../contacts/input.ts';
import { BLANK, FieldErrors, INVALID, required } from '../field-errors.ts';
import type { InboxRecord, MessageRecord, RuleCondition, RuleRecord } from './record.ts';
import type { InboundStore } from './store.ts';
import { addressIn, ruleView } from './view.ts';

const TESTS: Readonly<Record<string, (text: string, value: string) => boolean>> = {
  equal: (text, value) => text === value,
  not_equal: (text, value) => text !== value,
  contains: (text, value) => text.includes(value),
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
  empty: (text) => text === '',
  not_empty: (text) => text !== '',
};
const MATCH_TYPES: readonly unknown[] = ['sender', 'recipient', 'header'];
const MAX_RULES = 5;
const MAX_CONDITIONS = 5;
const MAX_DESTINATIONS = 5;
const WITHOUT_VALUE: readonly unknown[] = ['empty', 'not_empty'];

/** Whether a message meets all conditions of a rule. Case makes no difference. */
export function ruleMatches({ conditions }: RuleRecord, message: MessageRecord): boolean {
  return conditions.every(({ match_type: type, operator, value, header_key: key }) => {
    const texts = textsOf(message, type, key ?? '').map((text) => text.toLowerCase());
    const test = (text: string) => TESTS[operator]?.(text, (value ?? '').toLowerCase()) ?? false;
    return operator === 'not_equal' ? texts.every(test) : texts.some(test);
  });
}

function textsOf(message: MessageRecord, type: string, key: string): readonly string[] {
  if (type === 'sender') return [addressIn(message.from)];
  if (type === 'recipient') return [...message.to, ...message.cc].map(addressIn);
  const found = Object.entries(message.headers).find(([name]) => name.toLowerCase() === key.toLowerCase());
  return [found?.[1] ?? ''];
}

type Endpoint = Omit<Route, 'permission'>;

/** The endpoints of the rules of an inbox. */
export function ruleEndpoints(
  store: InboundStore,
  path: string,
  inboxOf: (exchange: Exchange) => InboxRecord,
): readonly Endpoint[] {
  const found = (exchange: Exchange): RuleRecord => {
    const rule = store.rule(inboxOf(exchange).id, Number(exchange.params.rule_id));
    if (rule === undefined) throw notFound();
    return rule;
  };
  const one = `${path}/:rule_id`;
  return [
    {
      method: 'GET',
      path,
      handler: (exchange) => ok({ data: store.rules(inboxOf(exchange).id).map(ruleView) }),
    },
    {
      method: 'POST',
      path,
      handler: (exchange) => {
        const { id: inboxId } = inboxOf(exchange);
        const written = read(exchange.body(), { name: '', conditions: [], destinations: [] });
        if (store.rules(inboxId).length >= MAX_RULES) {
          throw unprocessable({ base: [`The limit of ${MAX_RULES} forward rules per inbox is reached`] });
        }
        const { now } = exchange;
        return created({
          data: ruleView(store.addRule({ inboxId, createdAt: now, updatedAt: now, ...written })),
        });
      },
    },
    { method: 'GET', path: one, handler: (exchange) => ok({ data: ruleView(found(exchange)) }) },
    {
      method: 'PATCH',
      path: one,
      handler: (exchange) => {
        const rule = found(exchange);
        Object.assign(rule, read(exchange.body(), rule), { updatedAt: exchange.now });
        return ok({ data: ruleView(rule) });
      },
    },
    {
      method: 'DELETE',
      path: one,
      handler: (exchange) => {
        store.removeRule(found(exchange));
        return noContent();
      },
    },
  ];
}

type Written = Pick<RuleRecord, 'name' | 'conditions' | 'destinations'>;

function read(body: Readonly<Record<string, unknown>>, before: Written): Written {
  const errors = new FieldErrors();
  const name = required(body.name, before.name, 'name', errors, 255);
  const conditions =
    body.conditions === undefined ? before.conditions : listOf(body.conditions).map(condition);
  if (conditions.some((one) => one === undefined)) errors.add('conditions', INVALID);
  if (conditions.length > MAX_CONDITIONS) {
    errors.add('conditions', `is too long (maximum is ${MAX_CONDITIONS} conditions)`);
  }
  const emails = listOf(body.destinations).map((one) => Object(one) as { email?: unknown });
  const destinations =
    body.destinations === undefined ? before.destinations : emails.map(({ email }) => String(email));
  if (destinations.some((email) => emailError(email) !== undefined)) errors.add('destinations', INVALID);
  if (destinations.length > MAX_DESTINATIONS) {
    errors.add('destinations', `is too long (maximum is ${MAX_DESTINATIONS} destinations)`);
  }
  if (destinations.length === 0) errors.add('destinations', BLANK);
  errors.throwIfAny();
  return { name, conditions: conditions as readonly RuleCondition[], destinations };
}

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

/** A condition as it is stored; `undefined` if it is not a valid one. */
function condition(given: unknown): RuleCondition | undefined {
  const {
    match_type: type,
    operator,
    value = null,
    header_key: key = null,
  } = Object(given) as Record<string, unknown>;
  if (!MATCH_TYPES.includes(type) || typeof operator !== 'string' || !Object.hasOwn(TESTS, operator)) {
    return undefined;
  }
  if (!WITHOUT_VALUE.includes(operator) && typeof value !== 'string') return undefined;
  if (type === 'header' && (typeof key !== 'string' || key === '')) return undefined;
  return {
    match_type: String(type),
    operator,
    value: value as string | null,
    header_key: key as string | null,
  };
}
