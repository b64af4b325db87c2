import { MAX_TIMER_MS } from './runtime.ts';
import { ConfigurationError, type Issue } from './errors.ts';
import { didYouMean, nearest, sameWords } from '../kit/did-you-mean.ts';
import { CALL_OPTIONS, type Hints } from './other-names.ts';
import { isolatedIfPlain } from './isolated.ts';
import { memberOf, isRecord } from './record.ts';
import { isPromise, tried } from './tried.ts';

/**
 * Checks a value. Returns undefined or an empty list for a valid value. For an invalid one, returns the rest of a
 * sentence after the value's name, such as `must be a string` ({@link issuesAt} adds the name), or an issue for each
 * invalid part of the value, with a path such as `.maxRetries`. An issue never contains the value.
 */
export type Rule = (value: unknown) => string | readonly RuleIssue[] | undefined;

/** An issue of a rule. */
export interface RuleIssue extends Issue {
  /**
   * The service would not report it: it ignores the field, or reads another meaning. Errors do not contain this flag.
   */
  readonly unseen?: true | undefined;
}

/** An issue that the service would not report. */
export const unseen = (message: string): readonly RuleIssue[] => [{ path: '', message, unseen: true }];

/** A rule for an object, with the names of its fields, so that other rules need not list them again. */
export interface ObjectRule<Fields> {
  (value: unknown): ReturnType<Rule>;
  readonly fields: readonly string[];
  /** For type inference only. */
  readonly of?: Fields;
}

/** A rule for every field of a type: the compiler reports a missing one. */
export type Rules<Options> = { readonly [Name in keyof Options]-?: Rule };

/** Limits the issues, so that the check of a large list or object stays cheap. */
const MAX_ISSUES = 1000;

const isWhole = (min: number, max: number) => (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;

/** For a promise that the caller forgot to await. */
export const NOT_AWAITED = 'is a promise: await it';

/** The issue of a value of the wrong kind. */
export const ofWrongKind = (value: unknown, message: string): ReturnType<Rule> =>
  isPromise(value) ? unseen(NOT_AWAITED) : message;

/** The rule that a value must be `what`; `holds` checks it. */
export const mustBe =
  (what: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    tried(
      () => holds(value),
      () => false,
    )
      ? undefined
      : ofWrongKind(value, `must be ${what}`);

/** Accepts every value: it is checked elsewhere, or not at all. */
export const anything: Rule = () => undefined;
export const booleanRule = mustBe('true or false', (value) => typeof value === 'boolean');
export const stringRule = mustBe('a string', (value) => typeof value === 'string');
export const functionRule = mustBe('a function', (value) => typeof value === 'function');
export const wholeRule = mustBe('a whole number', Number.isSafeInteger);
export const positiveRule = mustBe('a positive whole number', isWhole(1, Infinity));
/** Digits of an id that a number cannot hold exactly: responses have such an id as text. */
const isLongId = (id: unknown) =>
  typeof id === 'string' && /^[1-9]\d{15,18}$/.test(id) && !Number.isSafeInteger(Number(id));
const wholeIdRule = mustBe('a positive whole number', (id) => isWhole(1, Infinity)(id) || isLongId(id));
/** An object with an `id` is what a method returned. */
const hasId = (value: unknown) =>
  tried(
    () => isRecord(value) && Object.hasOwn(value, 'id'),
    () => false,
  );
export const idRule: Rule = (value) => {
  const issue = wholeIdRule(value);
  return typeof issue === 'string' && hasId(value) ? `${issue}: pass its id` : issue;
};
export const countRule = mustBe('a whole number, 0 or more', isWhole(0, Infinity));
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const uuidRule = mustBe('a UUID', (value) => typeof value === 'string' && UUID.test(value));
export const durationRule = mustBe(
  `a number of milliseconds, more than 0 and at most ${MAX_TIMER_MS}`,
  (value) => typeof value === 'number' && value > 0 && value <= MAX_TIMER_MS,
);

/** A whole number from `min` to `max`. */
export const wholeFrom = (min: number, max: number): Rule =>
  mustBe(`a whole number from ${min} to ${max}`, isWhole(min, max));

/** One of these strings. */
export const oneOf = (values: readonly string[]): Rule =>
  mustBe(`one of ${values.map((value) => `'${value}'`).join(', ')}`, (value) =>
    values.includes(value as string),
  );

/** Null, or a value that the rule accepts. */
export const nullable =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value);

/** Accepts the same values as the rule; the issue of a missing one is `is required`. */
export const required =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? 'is required' : rule(value);

/** Accepts values that all rules accept. If one of the others cannot read a value, only the first decides. */
export function allOf<Fields>(first: ObjectRule<Fields>, ...others: readonly Rule[]): ObjectRule<Fields>;
export function allOf(first: Rule, ...others: readonly Rule[]): Rule;
export function allOf(first: Rule | ObjectRule<unknown>, ...others: readonly Rule[]): Rule {
  const rule: Rule = (value) => {
    const more = others.map((other) => tried(() => other(value)));
    return [first(value), ...more].flatMap((result) => issuesAt('', result));
  };
  return 'fields' in first ? Object.assign(rule, { fields: first.fields }) : rule;
}

/** Whether a value is what a list has one of. */
const isOne = (itemRule: Rule, value: unknown) =>
  value !== null && issuesIn('', () => itemRule(value)).length === 0;

/** A list whose items the rule accepts. The check ends after a thousand issues. */
export function arrayOf(rule: Rule, what = 'an array'): Rule {
  const itemRule = required(rule);
  return (value) => {
    if (!Array.isArray(value))
      return ofWrongKind(value, `must be ${what}${isOne(itemRule, value) ? ': put it in [ ]' : ''}`);
    const list = value as readonly unknown[];
    const issues: RuleIssue[] = [];
    for (let index = 0; index < list.length && issues.length < MAX_ISSUES; index += 1) {
      for (const issue of issuesIn(`[${index}]`, () => itemRule(list[index]))) issues.push(issue);
    }
    return issues;
  };
}

/** Whether an object has its content elsewhere than in fields, so that it would count as an empty one. */
const hasNoFields = (value: unknown) =>
  isPromise(value) || /^\[object (Date|Map|Set)\]$/.test(Object.prototype.toString.call(value));

/** The fields of a rule's object. */
const fieldsOf = (rule: Rule | ObjectRule<unknown>): readonly string[] =>
  'fields' in rule ? rule.fields : [];

const MAX_SHOWN_FIELDS = 5;

/** An object in a message, by its first fields. */
function anObjectWith(names: readonly PropertyKey[]): string {
  const [first, ...others] = new Set(names.map(String));
  if (first === undefined) return 'an object';
  if (others.length === 0) return `an object: pass { ${first} }`;
  const shown = [first, ...others];
  return `an object with ${shown.slice(0, MAX_SHOWN_FIELDS).join(', ')}${shown.length > MAX_SHOWN_FIELDS ? ', …' : ''}`;
}

const CALL_OPTION_NAMES = Object.keys(CALL_OPTIONS);
/** The names of options that are long enough for a safe comparison with a misspelt name. */
const LONG_OPTION_NAMES = CALL_OPTION_NAMES.filter((name) => name.length > 5);

/** A suffix for a message about a call option in the parameters. */
function optionHint(name: string | undefined): string {
  const { owner, whose } = CALL_OPTIONS[name ?? ''] ?? {};
  return owner === undefined
    ? ''
    : `; it is an option of ${owner}: pass \`{ ${name} }\` in ${whose} last argument`;
}

/**
 * An object whose fields each have a rule; a field without a rule is refused. An undefined field counts as absent; the
 * `needed` fields must be present. At most a thousand unknown fields are reported. In messages, `what` describes the
 * object, by default by its fields, and `hints` tell how to replace an unknown field.
 */
export function objectOf<Fields>(
  rules: Rules<Fields>,
  needed: readonly (keyof Fields)[] = [],
  what?: string,
  hints: Hints = {},
): ObjectRule<Fields> {
  const names = Object.keys(rules);
  // A hint for another method's option, which this object has too, is not for another spelling of it.
  const hinted = Object.keys(hints).filter((name) => !Object.hasOwn(rules, name));
  const remark = (name: string): string => {
    const hint = Object.hasOwn(hints, name) ? name : sameWords(name, hinted);
    if (hint !== undefined) return `; ${hints[hint]}`;
    const holder = names.find((field) => fieldsOf(rules[field as keyof Fields]).includes(name));
    if (holder !== undefined) return `; it belongs in \`${holder}\``;
    const { '*': others = '' } = hints;
    return (
      optionHint(CALL_OPTION_NAMES.find((option) => option === name)) ||
      didYouMean(name, names) ||
      (others && `; ${others}`) ||
      optionHint(nearest(name, LONG_OPTION_NAMES))
    );
  };
  const issueIn = (value: unknown, name: string) => {
    if (!Object.hasOwn(rules, name)) return unseen(`is not a known field${remark(name)}`);
    if (value === undefined) return needed.includes(name as keyof Fields) ? 'is required' : undefined;
    return rules[name as keyof Fields](value);
  };
  // Guarded here too, because only this rule checks the options of a throttle or a proxy.
  const rule: Rule = (value) =>
    readable(() => {
      if (!isRecord(value) || hasNoFields(value))
        return ofWrongKind(value, `must be ${what ?? anObjectWith([...needed, ...names])}`);
      const unknown = Object.keys(value).filter((name) => !Object.hasOwn(rules, name));
      const issues: RuleIssue[] = [];
      // A loop, because it runs for each field of each email of a batch.
      for (const name of [...names, ...unknown.slice(0, MAX_ISSUES)]) {
        issues.push(...issuesIn(`.${name}`, () => issueIn(memberOf(value, name), name)));
      }
      return issues;
    });
  return Object.assign(rule, { fields: names });
}

/** An object with field names of the caller. The issue of a wrong name omits the name, because it is a value too. */
export const recordOf =
  (
    rule: (value: unknown, name: string) => ReturnType<Rule>,
    names?: { readonly pattern: RegExp; readonly what: string },
  ): Rule =>
  (value) => {
    // A Map, a Headers object and a list of pairs have no own fields, and would count as empty.
    if (!isRecord(value) || Symbol.iterator in value || hasNoFields(value))
      return ofWrongKind(value, "must be an object of names and values, such as { name: 'value' }");
    return Object.entries(value).flatMap(([name, field]) =>
      names?.pattern.test(name) === false
        ? issuesAt('.?', unseen(`is not ${names.what}`))
        : issuesAt(`.${name}`, rule(field, name)),
    );
  };

/** The result of a rule; a value that cannot be read is refused too. */
const readable = (look: () => ReturnType<Rule>): ReturnType<Rule> => tried(look, () => 'cannot be read');

/** The issues of a rule in the value at `path`. An unreadable value is an issue too. */
export const issuesIn = (path: string, look: () => ReturnType<Rule>): RuleIssue[] =>
  issuesAt(path, readable(look));

/** Converts a rule's result to issues of the value at `path`. */
export function issuesAt(path: string, result: ReturnType<Rule>): RuleIssue[] {
  return typeof result === 'string'
    ? [{ path, message: result }]
    : (result ?? []).map((issue) => ({ ...issue, path: path + issue.path }));
}

/** The error for a wrong option; `label` is the caller's setting for it, such as an environment variable. */
export const invalid = (option: string, rule: string, label = option): ConfigurationError =>
  new ConfigurationError(`${label} ${rule}`, { option });

/** Throws the first problem of an option, or of the options object if `option` is empty. */
export function refuse(option: string, result: ReturnType<Rule>, label?: string): void {
  const issues = issuesAt(option, result);
  // A misspelt name says more than that the right one is missing.
  const misspelt = issues.find(({ message }) => message.startsWith('is not a known field; did you mean'));
  const issue = misspelt ?? issues[0];
  if (issue) throw invalid(issue.path.replace(/^\./, '') || 'options', issue.message, label);
}

/** The door of options: refuses wrong ones, and copies the others, to which a polluted `Object.prototype` adds none. */
export function checkedOptions<Options>(rule: Rule, options: Options, option = ''): Options {
  const own = isolatedIfPlain(options);
  refuse(option, rule(own));
  return own;
}

/** The characters that would end a header of an email and let a value add another one. */
export const ENDS_HEADER = /[\r\n\0]/;
