import { jsonOf } from '../../../kit/json-of.ts';
import type { ReportRequest } from '../data/data.ts';

type Reason = ReportRequest['reasons'][number];

/** The most reasons of one request. */
const MOST = 100;

/**
 * The reasons of a refusal, each beside the field that caused it where the response names one. A reason that the response
 * repeats is listed once. The cause that the emulator knows stands for the reasons without a field, such as `Unauthorized`.
 */
export function reasonsOf(body: string | null, cause?: string): Reason[] {
  const given = givenIn(body).map(withoutField);
  const all =
    cause === undefined
      ? given
      : [{ field: null, message: cause }, ...given.filter(({ field }) => field !== null)];
  const distinct = new Map(all.map((reason) => [`${reason.field}\n${reason.message}`, reason]));
  return [...distinct.values()].slice(0, MOST);
}

/** The reasons in the body of a response. */
function givenIn(body: string | null): Reason[] {
  const { error, errors } = Object(jsonOf(body ?? '')) as { error?: unknown; errors?: unknown };
  return [...reasonsIn(errors, null), ...reasonsIn(error, null)];
}

function reasonsIn(errors: unknown, field: string | null): Reason[] {
  if (typeof errors === 'string') return [{ field: field ?? named(errors), message: errors }];
  if (Array.isArray(errors))
    return errors.flatMap((one, index) => reasonsIn(one, isText(one) ? field : inside(field, index)));
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.entries(errors).flatMap(([name, value]) => {
    // Errors of the whole object, by the convention of the service's framework.
    const isWhole = name === 'base' && field === null;
    return reasonsIn(value, isWhole ? null : inside(field, name));
  });
}

const isText = (value: unknown) => typeof value === 'string';

/** The path of a field within another. */
const inside = (field: string | null, name: string | number) => {
  if (typeof name === 'number') return field === null ? null : `${field}[${name}]`;
  return field === null ? name : `${field}.${name}`;
};

/** The field at the beginning of a message, as in `'to' is required`. */
const named = (message: string): string | null => /^['"`]([\w[\].]{1,100})['"`]/.exec(message)?.[1] ?? null;

/** The name of a field at the beginning of a message, in quotes or before a verb. */
const LEADING_NAME =
  /^(?:['"`]([\w[\].]{1,100})['"`]|([\w[\].]{1,100})(?= (?:is|are|must|should|can|cannot|has|does)\b)) /;

/** A reason whose message does not begin with the field again: `subject`, `must not be empty`. */
function withoutField({ field, message }: Reason): Reason {
  const [start = '', quoted, bare] = LEADING_NAME.exec(message) ?? [];
  const name = quoted ?? bare;
  const isField = name !== undefined && field !== null && (field === name || field.endsWith(`.${name}`));
  return { field, message: isField ? message.slice(start.length) : message };
}
