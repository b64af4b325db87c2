import { EMULATOR_ACCOUNT_ID } from '../../core/emulator-account.ts';
import { ConfigurationError } from '../../core/errors.ts';
import { VARIABLES } from '../../core/variables.ts';

/** The UUIDs of templates, from the file that `email-platform templates types` generates. */
export interface TemplateUuids {
  /** The folder of the templates, as passed to `email-platform templates push`. */
  readonly folder: string;
  /**
   * The UUID of each template in each account to which it was pushed, by the account's id and the template's folder.
   */
  readonly accounts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The UUID of each template for accounts to which it was not pushed, by its folder. The emulator uses it. */
  readonly unpushed: Readonly<Record<string, string>>;
}

/**
 * The UUID of a template in the account of a client, for the file that `email-platform templates types` generates. For
 * a client without an `accountId`, the account is the only one in `uuids`. For an account that is not in `uuids`, and for
 * a template that was not pushed to the emulator's account 1001, returns the emulator's UUID of the template.
 *
 * @param client - The client, for its `accountId`.
 * @param template - The folder of the template.
 * @param uuids - The UUIDs in each account.
 * @throws {@link ConfigurationError} when `uuids` has several accounts and the client no `accountId`, or the template
 * was not pushed to the account
 */
export function templateUuid(
  client: { readonly accountId: number | undefined },
  template: string,
  uuids: TemplateUuids,
): string {
  const { folder, accounts, unpushed } = uuids;
  const ids = Object.keys(accounts);
  const { accountId } = client;
  if (accountId === undefined && ids.length > 1) {
    const todo = `pass accountId to the client, or set ${VARIABLES.accountId}`;
    throw new ConfigurationError(`The templates are in the accounts ${ids.join(', ')}: ${todo}`, {
      option: 'accountId',
    });
  }
  const id = accountId === undefined ? ids[0] : String(accountId);
  const isPushed = id !== undefined && Object.hasOwn(accounts, id);
  const own = isPushed ? accounts[id] : unpushed;
  // The lock may have the account of an emulator, from a push: the emulators of tests have newer templates, too.
  const others = accountId === EMULATOR_ACCOUNT_ID ? unpushed : {};
  const uuid = [own, others].find((one) => one && Object.hasOwn(one, template))?.[template];
  if (uuid !== undefined) return uuid;
  const todo = `npx email-platform templates push ${folder}, and then templates types`;
  const where = isPushed ? ` to account ${id}` : '';
  throw new ConfigurationError(`The template "${template}" was not pushed${where}: ${todo}`, {
    option: 'templates',
  });
}
