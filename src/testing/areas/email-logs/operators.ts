/** How many values an operator takes: none, one, or one or more. */
type Arity = 'none' | 'one' | 'many';

/** An operator: whether the values of a message (any number of them) match those in the query. */
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

export const EQUALITY: Operators = { equal: many(anyEqual), not_equal: many(not(anyEqual)) };

export const CONTAINMENT: Operators = { contain: one(anyContains), not_contain: one(not(anyContains)) };

export const CASELESS_TEXT: Operators = {
  ci_contain: one(caseless(anyContains)),
  ci_not_contain: one(not(caseless(anyContains))),
  ci_equal: many(caseless(anyEqual)),
  ci_not_equal: many(not(caseless(anyEqual))),
};

export const EMPTINESS: Operators = { empty: none(isEmpty), not_empty: none(not(isEmpty)) };

export const INCLUSION: Operators = {
  include_event: many(anyEqual),
  not_include_event: many(not(anyEqual)),
};

export const COMPARISON: Operators = {
  equal: one(compared((has, value) => has === value)),
  greater_than: one(compared((has, value) => has > value)),
  less_than: one(compared((has, value) => has < value)),
};
