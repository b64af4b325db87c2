import type { EmailPlatform } from 'email-platform';
import { Refused } from './verdict.ts';

/** Sub accounts, company information and what is used of the plan, as the public reference has them. */
export class AccountModel {
  readonly subAccounts = new Map<number, string>();
  readonly companies = new Map<number, Partial<EmailPlatform.CompanyInfoCreateParams>>();
  /** When emails were sent, and captured by the sandbox: one time for each. */
  readonly sent: number[] = [];
  readonly captured: number[] = [];

  checkOrganization(isOwn: boolean): void {
    if (!isOwn) throw new Refused(403, 'PermissionDeniedError');
  }

  deleteSubAccount(id: number): void {
    if (!this.subAccounts.delete(id)) throw new Refused(404, 'NotFoundError');
  }

  company(domainId: number): Partial<EmailPlatform.CompanyInfoCreateParams> {
    const company = this.companies.get(domainId);
    if (company === undefined) throw new Refused(404, 'NotFoundError');
    return company;
  }

  /** Without earlier information, the sources do not define the error of a change: missing information, or missing fields. */
  changeCompany(
    domainId: number,
    changes: Partial<EmailPlatform.CompanyInfoCreateParams>,
  ): Partial<EmailPlatform.CompanyInfoCreateParams> {
    const company = this.companies.get(domainId);
    if (company === undefined) throw new Refused([404, 422]);
    return Object.assign(company, changes);
  }
}
