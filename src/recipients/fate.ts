/** What becomes of one recipient. */
import { isSame, readAddress, type Address } from './address.ts';
import type { RecipientRules } from './options.ts';

/** A recipient may receive the email, may not, or another address receives it instead. */
export type Fate = 'allowed' | 'refused' | { readonly redirectTo: string };

/** Decides about what a request has as the address of a recipient, whatever that is. */
export type Decide = (email: unknown) => Fate;

/** By the rules of all guards, one after the other: a guard decides about what the one before has made of a recipient. */
export const decideBy =
  (guards: readonly RecipientRules[]): Decide =>
  (email) => {
    let address: Address | undefined = readAddress(email);
    let fate: Fate = 'allowed';
    for (const { allows, redirectTo } of guards) {
      if (address && allows(address)) continue;
      if (!redirectTo) return 'refused';
      address = redirectTo;
      fate = { redirectTo: redirectTo.text };
    }
    return fate;
  };

/** Whether somebody may be in an email that has passed: each guard has allowed them, or put them there itself. */
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
