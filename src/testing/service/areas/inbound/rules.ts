import { BLANK, FieldErrors, INVALID, required } from '../../wire/fields.ts';
import { fits, oneOf, text, textLike } from '../../../declare/kind.ts';
import { emailError } from '../../state/audience/contact-input.ts';
import { headerOf } from '../../state/emails/mail.ts';
import type { MessageRecord, RuleCondition, RuleRecord } from '../../state/inboxes/inbound.ts';
import { addressIn, ruleView } from './view.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { created, noContent, ok, orNotFound, unprocessable } from '../../wire/reply.ts';
import type { World } from '../../state/world.ts';
import { inboxIn, INBOUND } from './endpoint.ts';

const TESTS: Readonly<Record<string, (text: string, value: string) => boolean>> = {
  equal: (text, value) => text === value,
  not_equal: (text, value) => text !== value,
  contains: (text, value) => text.includes(value),
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
  empty: (text) => text === '',
  not_empty: (text) => text !== '',
};
const matchType = oneOf(['sender', 'recipient', 'header']);
const operatorName = textLike('the name of an operator', (name) => Object.hasOwn(TESTS, name));
const MAX_CONDITIONS = 5;
const MAX_DESTINATIONS = 5;
const WITHOUT_VALUE: readonly unknown[] = ['empty', 'not_empty'];

/** Whether a message meets all conditions of a rule. Ignores case. */
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
  return [headerOf(message.headers, key) ?? ''];
}

type Written = Pick<RuleRecord, 'name' | 'conditions' | 'destinations'>;

/** Reads a rule from a body. Missing fields keep their values. */
export function readRule(body: Readonly<Record<string, unknown>>, before: Written): Written {
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

const listOf = (input: unknown): readonly unknown[] => (Array.isArray(input) ? input : []);

/** Reads a condition; `undefined` if it is invalid. */
function condition(input: unknown): RuleCondition | undefined {
  const {
    match_type: type,
    operator,
    value = null,
    header_key: key = null,
  } = Object(input) as Record<string, unknown>;
  if (!fits(matchType, type) || !fits(operatorName, operator)) return undefined;
  const needsValue = !WITHOUT_VALUE.includes(operator);
  if (needsValue ? !fits(text, value) : type !== 'header') return undefined;
  if (type === 'header' && (!fits(text, key) || key === '')) return undefined;
  return {
    match_type: type,
    operator,
    value: value as string | null,
    header_key: key as string | null,
  };
}

const MAX_RULES = 5;

/** The endpoints of the rules of an inbox. */
export function ruleRoutes({ inbound }: World) {
  const found = (exchange: Exchange): RuleRecord =>
    orNotFound(inbound.rule(inboxIn(inbound, exchange), Number(exchange.params.rule_id)));
  return [
    route('GET /inbound/inboxes/{inbox_id}/forward_rules', INBOUND, (exchange) =>
      ok({ data: inbound.rulesOf(inboxIn(inbound, exchange)).map(ruleView) }),
    ),
    route('POST /inbound/inboxes/{inbox_id}/forward_rules', INBOUND, (exchange) => {
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
    }),
    route('GET /inbound/inboxes/{inbox_id}/forward_rules/{rule_id}', INBOUND, (exchange) =>
      ok({ data: ruleView(found(exchange)) }),
    ),
    route('PATCH /inbound/inboxes/{inbox_id}/forward_rules/{rule_id}', INBOUND, (exchange) => {
      const rule = found(exchange);
      Object.assign(rule, readRule(exchange.body(), rule), { updatedAt: exchange.now });
      return ok({ data: ruleView(rule) });
    }),
    route('DELETE /inbound/inboxes/{inbox_id}/forward_rules/{rule_id}', INBOUND, (exchange) => {
      inbound.rules.remove(found(exchange));
      return noContent();
    }),
  ];
}
