/**
 * The reasons that block email: for one address, and for a whole account.
 *
 * @module email-platform/diagnose
 */
export { whyNoMail } from './why-no-mail.ts';
export type {
  DiagnosedContact,
  LoggedMail,
  NewestMail,
  NoMailReason,
  SenderVerdict,
  WhyNoMail,
  WhyNoMailOptions,
} from './why-types.ts';
export type { DiagnosedCallOptions, DiagnosedClient } from './client.ts';
export type { DiagnosedPart } from './part.ts';
export { diagnose, type DiagnoseOptions } from './diagnose.ts';
export type { Diagnosis, Finding } from './findings.ts';
