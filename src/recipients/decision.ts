/** Decides about one recipient. */
import { isSame, readAddress, type Address } from './address.ts';
import type { RecipientRules } from './options.ts';

/** The recipient may receive the email, may not, or a redirect replaces it. */
export type Decision = 'allowed' | 'refused' | { readonly redirectTo: string };

/** Decides about a recipient's address in a request, which may be any value. */
export type Decide = (email: unknown) => Decision;

/** Applies the rules of all guards in order: each guard gets the recipient that the previous one returned. */
export const decideBy =
  (guards: readonly RecipientRules[]): Decide =>
  (email) => {
    let address: Address | undefined = readAddress(email);
    let decision: Decision = 'allowed';
    for (const { allows, redirectTo } of guards) {
      if (address && allows(address)) continue;
      if (!redirectTo) return 'refused';
      address = redirectTo;
      decision = { redirectTo: redirectTo.text };
    }
    return decision;
  };

/** Accepts a recipient that every guard allows, or that a guard's redirect added. */
export const decideOnPassed =
  (guards: readonly RecipientRules[]): Decide =>
  (email) => {
    const address = readAddress(email);
    if (!address) return 'refused';
    const mayBeThere = guards.reduce(
      (before, { allows, redirectTo }) =>
        (before && allows(address)) || (redirectTo !== undefined && isSame(address, redirectTo)),
      true,
    );
    return mayBeThere ? 'allowed' : 'refused';
  };
