/**
 * The account of an emulator that was started without the id of an account. Every such emulator has it, with other
 * templates.
 */
export const EMULATOR_ACCOUNT_ID = 1001;
