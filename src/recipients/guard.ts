/** The guard of a client: checks every request that reaches people before it is sent. */
import { RecipientRefusedError } from '../core/errors.ts';
import type { Reach, Reaching, RecipientGuard } from '../core/reach.ts';
import { isRecord } from '../core/record.ts';
import { decideBy, decideOnPassed, type Decide } from './decision.ts';
import { asciiAddress } from './address.ts';
import { asciiRecipient, decideMail, emailOf, hiddenPlaces, newRecipients, type Verdict } from './mail.ts';
import type { RecipientRules } from './options.ts';

/** Decides about the body of a request. */
type Decider<R extends Reach> = (body: unknown, reach: R, decide: Decide) => Verdict;
type Deciders = { readonly [Kind in Reach['kind']]: Decider<Extract<Reach, { kind: Kind }>> };

const UNREADABLE: Verdict = { value: undefined, refused: ['body'] };

const decideMails: Deciders['mails'] = (body, _, decide) => {
  if (!isRecord(body) || !Array.isArray(body.requests)) return UNREADABLE;
  const { base } = body;
  const verdicts = body.requests.map((mail, index) =>
    decideMail(mail, decide, { path: `requests[${index}].`, base }),
  );
  const refused = [
    ...hiddenPlaces(body, '', []),
    // Refuses recipients in the base, because the service does not document how it treats them.
    ...(isRecord(base) ? hiddenPlaces(base, 'base.', []) : []),
    ...verdicts.flatMap((verdict) => verdict.refused),
  ];
  const requests = verdicts.map(({ value }) => value);
  const isChanged = requests.some((mail, index) => mail !== (body.requests as unknown[])[index]);
  return { value: isChanged ? { ...body, requests } : body, refused };
};

const decideAddress: Deciders['address'] = (body, { field }, decide) => {
  if (!isRecord(body)) return UNREADABLE;
  const address = asciiAddress(body[field]);
  const decision = decide(address);
  if (decision === 'refused') return { value: body, refused: [field] };
  const sent = decision === 'allowed' ? address : decision.redirectTo;
  return { value: sent === body[field] ? body : { ...body, [field]: sent }, refused: [] };
};

const decideAddresses: Deciders['addresses'] = (body, { field, standing }, decide) => {
  if (!isRecord(body)) return UNREADABLE;
  const list = body[field];
  if (list === undefined || list === null) return { value: body, refused: standing === true ? [field] : [] };
  if (!Array.isArray(list)) return { value: body, refused: [field] };
  const items = list.map(asciiRecipient);
  const decisions = items.map((item) => decide(emailOf(item)));
  const refused = decisions.flatMap((decision, index) =>
    decision === 'refused' ? [`${field}[${index}]`] : [],
  );
  const kept = items.filter((_, index) => decisions[index] === 'allowed');
  if (kept.length === list.length && kept.every((item, index) => item === list[index]))
    return { value: body, refused };
  const targets = new Set(
    decisions.flatMap((decision) => (typeof decision === 'object' ? [decision.redirectTo] : [])),
  );
  return { value: { ...body, [field]: [...kept, ...newRecipients(targets, kept)] }, refused };
};

/** The maximum number of places in an error, and in its message. */
const MAX_PLACES = 100;
const MAX_NAMED = 10;

/** The variables of these rules; and the option, if it set some of them. */
const originsOf = (rules: readonly RecipientRules[]) => ({
  variables: rules.flatMap(({ variables }) => variables),
  hasOption: rules.some(({ variables }) => variables.length === 0),
});

function namesOf(rules: readonly RecipientRules[]): string {
  const { variables, hasOption } = originsOf(rules);
  return [...(hasOption ? ['the option recipients'] : []), ...variables].join(' and ');
}

function refusal(
  operation: string,
  refused: readonly string[],
  rules: readonly RecipientRules[],
): RecipientRefusedError {
  const count = refused.length;
  const named = refused.slice(0, MAX_NAMED).join(', ') + (count > MAX_NAMED ? ' and others' : '');
  const what = count === 1 ? 'a recipient is' : `${count} recipients are`;
  const message = `${operation} was not sent: ${what} not allowed by ${namesOf(rules)}: ${named}`;
  return new RecipientRefusedError(message, { count, places: refused.slice(0, MAX_PLACES) });
}

/** How to allow requests that do not name their recipients. The option cannot widen the rules of a variable. */
function wayOut(rules: readonly RecipientRules[]): string {
  const { variables, hasOption } = originsOf(rules.filter(({ allowCampaigns }) => !allowCampaigns));
  const option = 'set recipients.allowCampaigns';
  if (variables.length === 0) return `${option} to allow it`;
  const unset = `unset ${variables.join(' and ')}`;
  return hasOption
    ? `${unset}, and ${option}, to allow it`
    : `${unset} to allow it: recipients.allowCampaigns does not override a variable`;
}

/** The error for a request that does not name its recipients. */
function unknowable(
  operation: string,
  isDeclared: boolean,
  rules: readonly RecipientRules[],
): RecipientRefusedError {
  const why = isDeclared
    ? `it does not name its recipients; ${wayOut(rules)}`
    : `with ${namesOf(rules)}, client.request sends only requests that reach no person`;
  return new RecipientRefusedError(`${operation} was not sent: ${why}`, { count: 0, places: [] });
}

/** Creates a guard with these rules: the client's first, the environment's last. */
export function createGuard(rules: readonly RecipientRules[]): RecipientGuard {
  const deciders: Deciders = {
    mail: (body, { fillsIn }, decide) => decideMail(body, decide, { fillsIn }),
    mails: decideMails,
    address: decideAddress,
    addresses: decideAddresses,
    unknowable: (body) => ({ value: body, refused: [] }),
  };
  const decideInput = decideBy(rules);
  const decidePassed = decideOnPassed(rules);

  /** The JSON of the allowed body: the same text, if the guard changed no recipient. */
  const decided = (operation: string, json: string | undefined, decider: (body: unknown) => Verdict) => {
    const body: unknown = json === undefined ? undefined : JSON.parse(json);
    const { value, refused } = decider(body);
    if (refused.length > 0) throw refusal(operation, refused, rules);
    return value === body ? json : JSON.stringify(value);
  };

  const inspect = (request: Reaching, json: string | undefined, decide: Decide) => {
    const { operation, method } = request;
    if (method === 'GET') return json;
    const reaches = request.reaches?.();
    if (reaches === false) return json;
    const isUnknowable =
      reaches?.kind === 'unknowable' && !rules.every(({ allowCampaigns }) => allowCampaigns);
    if (reaches === undefined || isUnknowable) throw unknowable(operation, reaches !== undefined, rules);
    const decider = deciders[reaches.kind] as Decider<Reach>;
    return decided(operation, json, (body) => decider(body, reaches, decide));
  };

  return {
    pass: (request, json) => inspect(request, json, decideInput),
    passMail: (operation, json, path, base) =>
      decided(operation, json, (mail) => decideMail(mail, decideInput, { path, base })) ?? json,
    verify: (request, json) => void inspect(request, json, decidePassed),
  };
}
