import type { EmailPlatform } from 'email-platform';
import { Refused } from './verdict.ts';

/** After a reset the old token works 12 more hours. */
const GRACE_MS = 12 * 3_600_000;
const YEAR_MS = 365 * 86_400_000;

export interface TokenModel {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
  readonly level: 100 | 10;
  readonly expiresAt: number | null;
  /** From then on it does not work, because it was deleted or a while after it was replaced. */
  endsAt: number;
  state: 'current' | 'replaced' | 'deleted';
}

/** API tokens, sub accounts, company information and what is used of the plan, as the public reference has them. */
export class AccountModel {
  readonly tokens: TokenModel[] = [];
  readonly subAccounts = new Map<number, string>();
  readonly companies = new Map<number, Partial<EmailPlatform.CompanyInfoCreateParams>>();
  /** When emails were sent, and captured by the sandbox: one time for each. */
  readonly sent: number[] = [];
  readonly captured: number[] = [];

  /** Whether a token works. */
  isValid({ expiresAt, endsAt }: TokenModel, now: number): boolean {
    return now < Math.min(expiresAt ?? Infinity, endsAt);
  }

  token(id: number): TokenModel {
    const token = this.tokens.find((one) => one.id === id);
    if (token === undefined || token.state === 'deleted') throw new Refused(404, 'NotFoundError');
    return token;
  }

  /** An expiry is ahead, and at most five years. */
  checkExpiry(at: number | null, now: number): void {
    if (at !== null && (at <= now || at > now + 5 * YEAR_MS)) throw new Refused(422, 'ValidationError', 1);
  }

  replace(token: TokenModel, now: number): void {
    Object.assign(token, { state: 'replaced', endsAt: now + GRACE_MS });
  }

  delete(token: TokenModel, now: number): void {
    Object.assign(token, { state: 'deleted', endsAt: now });
  }

  /** The refusal of a request that changes nothing but needs the level of an admin. */
  tryToken(token: TokenModel, now: number): never {
    if (!this.isValid(token, now)) throw new Refused(401, 'AuthenticationError');
    if (token.level === 10) throw new Refused(403, 'PermissionDeniedError');
    throw new Refused(404, 'NotFoundError');
  }

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
