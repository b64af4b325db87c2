import { refuse } from '../core/rules.ts';
import { aloneRule } from '../core/setting-text.ts';
import { RECIPIENTS_VARIABLE, REDIRECT_VARIABLE } from '../core/variables.ts';
import {
  recipientsRule,
  rulesOf,
  type RecipientOptions,
  type RecipientRules,
} from '../recipients/options.ts';
import { entryRule } from '../recipients/entries.ts';
import { rawVariable } from '../core/platform.ts';

/** In no entry, so that one of these separates two. */
const OTHER_SEPARATORS = [';', '|', ' ', '[', '"'];
const COMMAS = 'must have commas between two entries, such as @example.org,ann@example.com';
const ALLOWED = 'list the allowed recipients, such as @example.org,ann@example.com';
const REDIRECTED = 'set it to one address, such as team@example.org';

/** Refuses an empty variable, which is probably a mistake. */
const refuseEmpty = (value: string | undefined, name: string, todo: string) =>
  refuse('recipients', value?.trim() === '' ? `must not be empty: unset it, or ${todo}` : undefined, name);

/** The rules for recipients in the environment. */
function fromEnvironment(): RecipientRules[] {
  const list = rawVariable(RECIPIENTS_VARIABLE);
  const redirectTo = rawVariable(REDIRECT_VARIABLE);
  if (list === undefined && redirectTo === undefined) return [];
  refuseEmpty(list, RECIPIENTS_VARIABLE, ALLOWED);
  refuseEmpty(redirectTo, REDIRECT_VARIABLE, REDIRECTED);
  const allow = list?.split(',').map((entry) => entry.trim()) ?? [];
  const otherwise = redirectTo === undefined ? 'refuse' : { redirectTo };
  for (const entry of [list ?? '', ...allow]) refuse('recipients', aloneRule(entry), RECIPIENTS_VARIABLE);
  if (redirectTo !== undefined) refuse('recipients', aloneRule(redirectTo), REDIRECT_VARIABLE);
  for (const [index, entry] of allow.entries()) {
    const isJoined = OTHER_SEPARATORS.some((one) => entry.includes(one));
    const wrong = isJoined ? COMMAS : entryRule(entry);
    const place = allow.length > 1 ? ` (entry ${index + 1})` : '';
    refuse('recipients', wrong && `${wrong}${place}`, RECIPIENTS_VARIABLE);
  }
  refuse('recipients', recipientsRule({ allow, otherwise }), REDIRECT_VARIABLE);
  const variables = [
    ...(list === undefined ? [] : [RECIPIENTS_VARIABLE]),
    ...(redirectTo === undefined ? [] : [REDIRECT_VARIABLE]),
  ];
  return [{ ...rulesOf({ allow, otherwise, allowCampaigns: false }), variables }];
}

/** The rules for a client's emails: its own, then those of the original client, which include the environment's. */
export function resolveRecipients(
  own: RecipientOptions | undefined,
  inherited: readonly RecipientRules[] = fromEnvironment(),
): readonly RecipientRules[] {
  if (own === undefined) return inherited;
  refuse('recipients', recipientsRule(own));
  return [rulesOf(own), ...inherited];
}
