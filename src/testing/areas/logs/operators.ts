/** How many values an operator takes: none, one text, or one or several. */
type Arity = 'none' | 'one' | 'many';

/** An operator: whether what a message has (none, one or several texts) and the values given agree. */
export interface Operator {
  readonly takes: Arity;
  readonly agrees: (has: readonly string[], values: readonly string[]) => boolean;
}

type Agrees = Operator['agrees'];

const anyEqual: Agrees = (has, values) => has.some((one) => values.includes(one));
const anyContains: Agrees = (has, [part = '']) => has.some((one) => one.includes(part));
const isEmpty: Agrees = (has) => has.every((one) => one === '');

const not =
  (agrees: Agrees): Agrees =>
  (has, values) =>
    !agrees(has, values);

const caseless =
  (agrees: Agrees): Agrees =>
  (has, values) =>
    agrees(has.map(lower), values.map(lower));

const lower = (text: string) => text.toLowerCase();

const compared =
  (agrees: (has: number, value: number) => boolean): Agrees =>
  ([has], [value]) =>
    agrees(Number(has), Number(value));

const many = (agrees: Agrees): Operator => ({ takes: 'many', agrees });
const one = (agrees: Agrees): Operator => ({ takes: 'one', agrees });
const none = (agrees: Agrees): Operator => ({ takes: 'none', agrees });

type Operators = Readonly<Record<string, Operator>>;

export const equality: Operators = { equal: many(anyEqual), not_equal: many(not(anyEqual)) };

export const containment: Operators = { contain: one(anyContains), not_contain: one(not(anyContains)) };

export const caselessText: Operators = {
  ci_contain: one(caseless(anyContains)),
  ci_not_contain: one(not(caseless(anyContains))),
  ci_equal: many(caseless(anyEqual)),
  ci_not_equal: many(not(caseless(anyEqual))),
};

export const emptiness: Operators = { empty: none(isEmpty), not_empty: none(not(isEmpty)) };

export const inclusion: Operators = {
  include_event: many(anyEqual),
  not_include_event: many(not(anyEqual)),
};

export const comparison: Operators = {
  equal: one(compared((has, value) => has === value)),
  greater_than: one(compared((has, value) => has > value)),
  less_than: one(compared((has, value) => has < value)),
};
