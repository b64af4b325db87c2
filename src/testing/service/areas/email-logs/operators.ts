/** The number of values of an operator: none, one, or one or more. */
type Arity = 'none' | 'one' | 'many';

/** An operator. Compares the values in a query with the values of a message, of which there may be any number. */
export interface Operator {
  readonly takes: Arity;
  readonly agrees: (values: readonly string[]) => (has: readonly string[]) => boolean;
}

type Agrees = Operator['agrees'];

type Same = (text: string) => string;

const asItIs: Same = (text) => text;
const lower: Same = (text) => text.toLowerCase();

const anyEqual =
  (same: Same): Agrees =>
  (values) => {
    const wanted = new Set(values.map(same));
    return (has) => has.some((one) => wanted.has(same(one)));
  };
const anyContains =
  (same: Same): Agrees =>
  ([part = '']) => {
    const wanted = same(part);
    return (has) => has.some((one) => same(one).includes(wanted));
  };
const isEmpty: Agrees = () => (has) => has.every((one) => one === '');

const not =
  (agrees: Agrees): Agrees =>
  (values) => {
    const agreed = agrees(values);
    return (has) => !agreed(has);
  };

const compared =
  (agrees: (has: number, value: number) => boolean): Agrees =>
  ([value]) => {
    const wanted = Number(value);
    return ([has]) => agrees(Number(has), wanted);
  };

const many = (agrees: Agrees): Operator => ({ takes: 'many', agrees });
const one = (agrees: Agrees): Operator => ({ takes: 'one', agrees });
const none = (agrees: Agrees): Operator => ({ takes: 'none', agrees });

type Operators = Readonly<Record<string, Operator>>;

export const EQUALITY: Operators = {
  equal: many(anyEqual(asItIs)),
  not_equal: many(not(anyEqual(asItIs))),
};

export const CONTAINMENT: Operators = {
  contain: one(anyContains(asItIs)),
  not_contain: one(not(anyContains(asItIs))),
};

export const CASELESS_TEXT: Operators = {
  ci_contain: one(anyContains(lower)),
  ci_not_contain: one(not(anyContains(lower))),
  ci_equal: many(anyEqual(lower)),
  ci_not_equal: many(not(anyEqual(lower))),
};

export const EMPTINESS: Operators = { empty: none(isEmpty), not_empty: none(not(isEmpty)) };

export const INCLUSION: Operators = {
  include_event: many(anyEqual(asItIs)),
  not_include_event: many(not(anyEqual(asItIs))),
};

export const COMPARISON: Operators = {
  equal: one(compared((has, value) => has === value)),
  greater_than: one(compared((has, value) => has > value)),
  less_than: one(compared((has, value) => has < value)),
};
