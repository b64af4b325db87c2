import type { Reports } from './report.ts';

/** The reports of each emulator. A registered symbol, because the command is a separate bundle. */
export const EMULATOR_REPORTS = Symbol.for('email-platform.emulator-reports');

/** The reports of an emulator. */
export const reportsOf = (emulator: object): Pick<Reports, 'onChange' | 'follow'> | undefined =>
  (emulator as { readonly [EMULATOR_REPORTS]?: Pick<Reports, 'onChange' | 'follow'> })[EMULATOR_REPORTS];
