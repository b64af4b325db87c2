import type { Reports } from './report.ts';

/** Where an emulator has its reports: registered, as the command is a bundle of its own. */
export const EMULATOR_REPORTS = Symbol.for('email-platform.emulator-reports');

/** The reports of an emulator. */
export const reportsOf = (emulator: object): Pick<Reports, 'onChange'> | undefined =>
  (emulator as { readonly [EMULATOR_REPORTS]?: Pick<Reports, 'onChange'> })[EMULATOR_REPORTS];
