import { EMULATOR_ACCOUNT_ID } from '../core/emulator-account.ts';
import { ConfigurationError, InvalidRequestError } from '../core/errors.ts';
import { lookedUp } from '../core/locale.ts';
import { issuesAt, objectOf, stringRule } from '../core/rules.ts';
import { HOST_NAMES } from '../core/request.ts';
import { VARIABLES } from '../core/variables.ts';
import { portOf } from './port.ts';
import { isOfEmulator } from './resolve-hosts.ts';

const EMULATORS = String(EMULATOR_ACCOUNT_ID);

/** The UUIDs of templates, from the file that `email-platform templates types` generates. */
export interface TemplateUuids {
  /** The folder of the templates, as passed to `email-platform templates push`. */
  readonly folder: string;
  /**
   * The UUID of each template in each account to which it was pushed, by the account's id and the template's folder.
   */
  readonly accounts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The UUID of each template in the account of emulators, for tests before a push, by the template's folder. */
  readonly unpushed: Readonly<Record<string, string>>;
  /**
   * The languages of templates that have others than the default, by the template's folder. The folder of a language is in
   * it: `receipt/de`.
   */
  readonly languages?: Readonly<Record<string, readonly string[]>>;
  /** The default language, whose folder is that of the template. */
  readonly default?: string;
}

/** Options of the functions in the file that `email-platform templates types` generates. */
export interface TemplateUuidOptions {
  /**
   * The locale of the reader, such as `de-AT` or `de_AT`. Takes the nearest language that the template has: `de-AT`, else
   * `de`, else the default. A reader of `zh-TW` gets `zh-Hant`, one of `no` gets `nb`, and one of `pt` gets `pt-BR`.
   *
   * @defaultValue the default language
   */
  readonly locale?: string | undefined;
}

const optionsRule = objectOf<TemplateUuidOptions>(
  { locale: stringRule },
  [],
  "an object such as { locale: 'de' }",
);

/**
 * The UUID of a template in the account of a client, for the file that `email-platform templates types` generates. For
 * a client without an `accountId`, the account is the only one in `uuids` beside that of emulators, 1001. For 1001, if
 * `uuids` does not have it, returns the UUID for tests, unless a host of the client is the service's.
 *
 * @param client - The client, for its `accountId` and its hosts.
 * @param template - The folder of the template.
 * @param uuids - The UUIDs in each account.
 * @param options - The locale of the reader.
 * @throws {@link ConfigurationError} when `uuids` has several accounts and the client no `accountId`, the template was
 * not pushed to the account, or a client of the service has the account of emulators; {@link InvalidRequestError} for a locale that is not a string, and for an unknown option
 */
export function templateUuid(
  client: { readonly accountId: number | undefined },
  template: string,
  uuids: TemplateUuids,
  options?: TemplateUuidOptions,
): string {
  return uuidIn(client, folderOf(template, uuids, options), uuids);
}

/** The folder of the language that a reader of the locale understands. */
function folderOf(
  template: string,
  { languages = {}, default: initial = '' }: TemplateUuids,
  options: unknown,
): string {
  if (options === undefined) return template;
  const issues = issuesAt('options', optionsRule(options));
  if (issues.length > 0) throw new InvalidRequestError(issues, { operation: `The template "${template}"` });
  const { locale } = options as TemplateUuidOptions;
  const known = Object.hasOwn(languages, template) ? languages[template] : undefined;
  if (locale === undefined || known === undefined) return template;
  const language = lookedUp(locale, [initial, ...known]);
  return language === undefined || language === initial ? template : `${template}/${language}`;
}

function uuidIn(
  client: { readonly accountId: number | undefined },
  template: string,
  uuids: TemplateUuids,
): string {
  const { folder, accounts, unpushed } = uuids;
  const ids = Object.keys(accounts).filter((one) => one !== EMULATORS);
  const { accountId } = client;
  if (accountId === undefined && ids.length > 1) {
    const todo = `pass accountId to the client, or set ${VARIABLES.accountId}`;
    throw new ConfigurationError(`The templates are in the accounts ${ids.join(', ')}: ${todo}`, {
      option: 'accountId',
    });
  }
  const id = accountId === undefined ? ids[0] : String(accountId);
  const live = liveHostOf(client);
  if (id === EMULATORS && live !== undefined) {
    const todo = `pass the id of your account as accountId, or set ${VARIABLES.accountId} to it`;
    throw new ConfigurationError(
      `${id} is the account of emulators, and ${live} is not the address of an emulator: ${todo}`,
      { option: 'accountId' },
    );
  }
  const pushed = id !== undefined && Object.hasOwn(accounts, id) ? accounts[id] : undefined;
  // A client without an account may be one of production: the UUID for tests is for a client that names the emulators' one.
  const own = pushed ?? (id === EMULATORS ? unpushed : {});
  if (Object.hasOwn(own, template) && own[template] !== undefined) return own[template];
  const where = id === undefined ? '' : ` to account ${id}`;
  const push = `npx email-platform templates push ${folder}, and then templates types`;
  const remedy =
    id === EMULATORS
      ? `delete ${id}, the account of emulators, from templates.lock.json`
      : `pass accountId ${EMULATORS}, the account of emulators, to the client`;
  const test = live === undefined ? `; to test without a push, ${remedy}` : '';
  throw new ConfigurationError(
    `The template "${template}" was not pushed${where} before its types were generated: ${push}${test}`,
    {
      option: 'templates',
    },
  );
}

/** The address of a client's host that is not an emulator's; undefined if there is none. */
function liveHostOf(client: unknown): string | undefined {
  const { hosts = {} } = portOf(client) ?? {};
  const name = HOST_NAMES.find((one) => hosts[one] !== undefined && !isOfEmulator(one, hosts[one]));
  return name && hosts[name];
}
