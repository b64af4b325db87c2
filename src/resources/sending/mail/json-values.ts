/** Finds what JSON would drop or change in variables: an email would go out without it. */
import { HALF_PAIR, hasHalfPair } from '../../../core/json.ts';
import { isPromise } from '../../../core/tried.ts';
import { NOT_AWAITED, type Rule, type RuleIssue } from '../../../core/rules.ts';

const isPlain = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

/** The rule that one value breaks, without what is inside it. */
function brokenBy(value: unknown, kinds: string): string | undefined {
  if (typeof value === 'string') return hasHalfPair(value) ? HALF_PAIR : undefined;
  // JSON refuses a bigint by itself.
  if (value === null || /^(?:boolean|bigint)$/.test(typeof value) || Number.isFinite(value)) return undefined;
  const must = `must be ${kinds}`;
  if (typeof value !== 'object') return value === undefined ? `${must}, or left out` : must;
  if (value instanceof Date) return `${must}, such as \`date.toISOString()\``;
  if (isPromise(value)) return NOT_AWAITED;
  const isLost = !Array.isArray(value) && !isPlain(value) && Object.keys(value).length === 0;
  const isChanged =
    typeof (value as { readonly toJSON?: unknown }).toJSON === 'function' || ArrayBuffer.isView(value);
  return isLost || isChanged ? must : undefined;
}

/** The issues of a value and of all that is inside it. An object that is there several times, or in itself, has one. */
function issuesOf(value: unknown, path: string, kinds: string, seen: WeakSet<object>): RuleIssue[] {
  const message = brokenBy(value, kinds);
  if (message !== undefined) return [{ path, message, unseen: true }];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  if (Array.isArray(value))
    return Array.from(value, (item: unknown, index) =>
      issuesOf(item, `${path}[${index}]`, kinds, seen),
    ).flat();
  return Object.entries(value).flatMap(([name, field]) =>
    hasHalfPair(name)
      ? issuesOf(name, `${path}.?`, kinds, seen)
      : issuesOf(field, `${path}.${name}`, kinds, seen),
  );
}

/** The rule for an object of variables, whose values are of these kinds. One that writes itself is left to its `toJSON`. */
export const variablesRule =
  (kinds: string): Rule =>
  (variables) => {
    if (typeof (variables as { readonly toJSON?: unknown }).toJSON === 'function') return undefined;
    const seen = new WeakSet<object>();
    return Object.entries(variables as object).flatMap(([name, value]) =>
      hasHalfPair(name) ? issuesOf(name, '.?', kinds, seen) : issuesOf(value, `.${name}`, kinds, seen),
    );
  };
