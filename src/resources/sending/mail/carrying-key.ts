/** Adds the key to an email. */
import { isGiven, fieldOf, isRecord } from '../../../core/record.ts';
import type { Issue } from '../../../core/errors.ts';
import { isKey } from '../../../core/key.ts';
import { mailWith } from './input.ts';
import { variableIssues } from './rules.ts';

/**
 * The email with its key in its custom variables, and the issues of the variables. An email's own variables replace
 * those of the base in the service, so they are merged here.
 */
export function carryingKey<Mail>(
  input: Mail,
  variable: string,
  key: string,
  path: string,
  base?: unknown,
): { readonly mail: Mail; readonly issues: readonly Issue[] } {
  if (!isRecord(input)) return { mail: input, issues: [] };
  const ofBase = isRecord(base) ? base.custom_variables : undefined;
  const own: unknown = isGiven(input.custom_variables) ? input.custom_variables : ofBase;
  const name = `${path}custom_variables`;
  if (isGiven(own) && !isRecord(own))
    return { mail: input, issues: [{ path: name, message: 'must be an object' }] };
  const current = fieldOf(own, variable);
  if (current !== undefined && current !== key) {
    const message = 'is set by the option idempotencyKey';
    return { mail: input, issues: [{ path: `${name}.${variable}`, message }] };
  }
  const variables = { ...(own as object | undefined), [variable]: key };
  const mail = mailWith<Mail>(input, { custom_variables: variables });
  // A wrong key is refused as an option.
  return { mail, issues: isKey(key) ? variableIssues(variables, name) : [] };
}
