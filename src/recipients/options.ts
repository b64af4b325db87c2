/** The client's option `recipients`, and its rules. */
import { arrayOf, booleanRule, invalid, mustBe, objectOf, type Rule } from '../core/rules.ts';
import { asciiAddress, isSame, readAddress, type Address } from './address.ts';
import { AN_ENTRY, entryRule, readEntry } from './entries.ts';

/** The recipients that may receive email from a client, and the treatment of all others. */
export interface RecipientOptions {
  /**
   * The allowed recipients. An entry is an address (`'ann@example.org'`), an address with any tag
   * (`'ann+*@example.org'`), a domain without its subdomains (`'@example.org'`), or the subdomains of a domain
   * (`'@*.example.org'`). An empty list allows no recipient.
   */
  readonly allow: readonly string[];
  /**
   * The treatment of other recipients: the call throws {@link RecipientRefusedError}, or the email goes to one of your
   * addresses instead.
   * @defaultValue 'refuse'
   */
  readonly otherwise?:
    | 'refuse'
    | {
        /** Address that receives the email in place of the other recipients. */
        readonly redirectTo: string;
      }
    | undefined;
  /**
   * Allows requests that do not name their recipients: `campaigns.start`, `campaigns.schedule` and
   * `contacts.createEvent`. A guard of the environment refuses them in any case.
   * @defaultValue false
   */
  readonly allowCampaigns?: boolean | undefined;
}

/** One guard's rules. */
export interface RecipientRules {
  readonly allows: (address: Address) => boolean;
  /** The address that receives email for other recipients; undefined if such email is refused. */
  readonly redirectTo: (Address & { readonly text: string }) | undefined;
  readonly allowCampaigns: boolean;
  /** The variables that set the rules; empty for rules of the option. */
  readonly variables: readonly string[];
}

const isAddress = (value: unknown) => readAddress(value) !== undefined;
export const redirectRule = mustBe("one address, such as 'team@example.org'", isAddress);

const redirectObject = objectOf<{ readonly redirectTo: string }>(
  { redirectTo: redirectRule },
  ['redirectTo'],
  "'refuse' or { redirectTo: 'team@example.org' }",
);
const otherwiseRule: Rule = (otherwise) => (otherwise === 'refuse' ? undefined : redirectObject(otherwise));

/** The option `recipients`. */
export const recipientsRule = objectOf<RecipientOptions>(
  {
    allow: arrayOf(entryRule, `an array, such as ['@example.org', 'ann@example.com']`),
    otherwise: otherwiseRule,
    allowCampaigns: booleanRule,
  },
  ['allow'],
  "an object, such as { allow: ['@example.org'] }",
  { redirectTo: 'it belongs in `otherwise`' },
);

/** Reads the option. Later changes by the caller have no effect. */
export function rulesOf(options: RecipientOptions): RecipientRules {
  const { allow, otherwise, allowCampaigns = false } = options;
  const entries = allow.map((text) => {
    const entry = readEntry(text);
    if (!entry) throw invalid('recipients', `must allow only ${AN_ENTRY}`);
    return entry;
  });
  const text = typeof otherwise === 'object' ? (asciiAddress(otherwise.redirectTo) as string) : undefined;
  const target = readAddress(text);
  if (text !== undefined && !target) throw invalid('recipients', 'must redirect to one address');
  const redirectTo = text !== undefined && target ? { ...target, text } : undefined;
  return {
    redirectTo,
    allowCampaigns,
    variables: [],
    allows: (address) =>
      (redirectTo !== undefined && isSame(address, redirectTo)) || entries.some((entry) => entry(address)),
  };
}
