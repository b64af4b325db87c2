/** The client's option `recipients`, and what is made of it. */
import { isolated } from '../core/isolated.ts';
import { arrayOf, booleanRule, invalid, mustBe, objectOf, type Rule } from '../core/rules.ts';
import { asciiAddress, isSame, readAddress, type Address } from './address.ts';
import { AN_ENTRY, readEntry } from './entries.ts';

/** Who may receive email from a client, and what becomes of email to anybody else. */
export interface RecipientOptions {
  /**
   * Who may receive email. An entry is an address (`'ann@example.org'`), an address with any tag
   * (`'ann+*@example.org'`), a domain without its subdomains (`'@example.org'`), or the subdomains of one
   * (`'@*.example.org'`). Nobody else may, and with an empty list nobody at all.
   */
  readonly allow: readonly string[];
  /**
   * What becomes of email to anybody else: the call is refused with {@link RecipientRefusedError}, or the email goes to
   * one address of yours instead.
   * @defaultValue 'refuse'
   */
  readonly otherwise?:
    | 'refuse'
    | {
        /** Address that receives the email in place of everybody else. */
        readonly redirectTo: string;
      }
    | undefined;
  /**
   * Allows what reaches people whom no request names: `campaigns.start`, `campaigns.schedule` and `contacts.createEvent`.
   * @defaultValue false
   */
  readonly allowCampaigns?: boolean | undefined;
}

/** One guard's rules, as they are applied. */
export interface RecipientRules {
  readonly allows: (address: Address) => boolean;
  /** Where email to anybody else goes; undefined where it is refused. */
  readonly redirectTo: (Address & { readonly text: string }) | undefined;
  readonly allowCampaigns: boolean;
}

const isAddress = (value: unknown) => readAddress(value) !== undefined;
const entryRule = mustBe(AN_ENTRY, (entry) => readEntry(entry) !== undefined);
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
);

/** Reads the option. What the caller changes in it afterwards has no effect. */
export function rulesOf(options: RecipientOptions): RecipientRules {
  const { allow, otherwise, allowCampaigns = false } = isolated(options);
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
    allows: (address) =>
      (redirectTo !== undefined && isSame(address, redirectTo)) || entries.some((entry) => entry(address)),
  };
}
