import type { ReportData, ReportFinding, ReportMail } from '../data/data.ts';
import { CHECK_NAMES, MAIL_CHECKS, type ReportCheck } from '../checks/all.ts';
import { readForChecks, type Fault } from '../records/checked-mail.ts';
import { hostOf } from '../records/hosts.ts';
import { duplicates } from '../checks/duplicates.ts';
import { unreadable } from '../checks/unreadable.ts';

/** The disabled checks, and the address of the program under test. */
export interface CheckOptions {
  /** Or this machine: its links are no faults while a person develops. */
  readonly site?: string | typeof THIS_MACHINE | undefined;
  readonly checks?: Readonly<Partial<Record<ReportCheck, false>>> | undefined;
}

/** Stands for every address of this machine. */
export const THIS_MACHINE = Symbol('this machine');

/** The faults of one mail. */
interface Checked {
  readonly faults: readonly (Fault & { readonly check: ReportCheck })[];
  readonly underSite: number;
}

/** Caches the faults of each mail, so that the checks read each mail once. */
export class CheckedMails {
  #site: CheckOptions['site'];
  #byId = new Map<string, Checked>();
  /** The reasons why mails could not be read, by their ids. */
  readonly unread = new Map<string, string>();

  /** Checks the new mails, and drops the faults of mails that are no longer in the list. */
  of(mails: readonly ReportMail[], site: CheckOptions['site']): ReadonlyMap<string, Checked> {
    const before = site === this.#site ? this.#byId : new Map<string, Checked>();
    this.#site = site;
    const faultsOf = (mail: ReportMail) => {
      try {
        const reason = this.unread.get(mail.id);
        return reason === undefined ? checked(mail, site) : unreadable(reason);
      } catch (error) {
        return unreadable((error as Error).message);
      }
    };
    this.#byId = new Map(mails.map((mail) => [mail.id, before.get(mail.id) ?? faultsOf(mail)]));
    return this.#byId;
  }
}

function checked(mail: ReportMail, site: CheckOptions['site']): Checked {
  let underSite = 0;
  const own = typeof site === 'string' ? new URL(site) : undefined;
  const isUnderSite = (url: URL) =>
    site === THIS_MACHINE
      ? hostOf(url.hostname) === 'machine'
      : url.origin === own?.origin && url.pathname.startsWith(own.pathname.replace(/\/$/, ''));
  const context = { isUnderSite, countUnderSite: () => (underSite += 1) };
  const read = readForChecks(mail);
  const faults = Object.entries(MAIL_CHECKS).flatMap(([name, check]) =>
    check(read, context).map((fault) => ({ ...fault, check: name as ReportCheck })),
  );
  return { faults, underSite };
}

/** The most findings of one check about one kind of email. One more finding lists the mails of all further faults. */
const MOST = 10;

/** The results of all checks. */
export interface Findings {
  readonly findings: readonly ReportFinding[];
  readonly notes: readonly string[];
}

/** The findings of all checks, errors first. `eraOf` returns the number of the period between two resets. */
export function findingsOf(
  { mails, kinds }: Pick<ReportData, 'mails' | 'kinds'>,
  eraOf: (id: string) => number | undefined,
  { site, checks = {} }: CheckOptions,
  memory = new CheckedMails(),
): Findings {
  const names = new Map(kinds.map(({ id, name }) => [id, name]));
  const byGroup = new Map<string, ReportFinding & { ids: string[] }>();
  const counts = new Map<string, number>();
  const add = (
    mail: ReportMail,
    check: ReportCheck,
    { level, message, group = message }: Fault,
    ids: string[],
  ) => {
    if (checks[check] === false) return;
    const part = JSON.stringify([mail.kind, check]);
    const key = JSON.stringify([mail.kind, check, level, group]);
    const isNew = !byGroup.has(key);
    const count = (counts.get(part) ?? 0) + (isNew ? 1 : 0);
    counts.set(part, count);
    const existing = byGroup.get(isNew && count > MOST ? JSON.stringify([part, 'others']) : key);
    if (existing !== undefined) {
      existing.ids.push(...ids.filter((id) => !existing.ids.includes(id)));
      return;
    }
    const isOther = count > MOST;
    byGroup.set(isOther ? JSON.stringify([part, 'others']) : key, {
      level,
      check,
      kind: names.get(mail.kind) ?? mail.kind,
      message: isOther ? `More of this: ${message}` : message,
      ids: [...ids],
    });
  };
  const all = memory.of(mails, site);
  let underSite = 0;
  for (const mail of mails) {
    const { faults, underSite: count } = all.get(mail.id) ?? { faults: [], underSite: 0 };
    underSite += count;
    for (const fault of faults) add(mail, fault.check, fault, [mail.id]);
  }
  for (const { mail, message, ids } of duplicates(mails, eraOf))
    add(mail, 'duplicates', { level: 'warn', message }, [...ids]);
  const where = site === THIS_MACHINE ? 'this machine' : `${site ?? ''}, the site of these tests`;
  const links = underSite === 1 ? '1 link leads' : `${underSite} links lead`;
  return {
    findings: [...byGroup.values()].sort(
      (a, b) =>
        Number(a.level === 'warn') - Number(b.level === 'warn') ||
        CHECK_NAMES.indexOf(a.check) - CHECK_NAMES.indexOf(b.check) ||
        (a.kind < b.kind ? -1 : Number(a.kind > b.kind)),
    ),
    notes: underSite > 0 && checks.links !== false ? [`${links} to ${where}`] : [],
  };
}
