/** Which kind of an earlier run is which kind of the later one. */
import type { ReportKind } from '../data/data.ts';
import { differencesOf } from './differences.ts';
import { likeness, type ReadMail } from './parts.ts';

/** Kinds whose mails are less alike than this are two kinds. */
const ALIKE = 0.6;
/** The most kinds whose mails are compared with those of the other side. */
const MOST = 200;

export type MailsOf = ReadonlyMap<string, readonly ReadMail[]>;

/** The emails of a kind, of each run that has some. */
export const ofKind = <One>(runs: readonly ReadonlyMap<string, readonly One[]>[], id: string) =>
  runs.map((run) => run.get(id) ?? []).filter(({ length }) => length > 0);

/** A kind before and after: by its id; else by its bodies if its name is a subject; else by otherwise equal emails. */
export function pairs(
  before: readonly ReportKind[],
  after: readonly ReportKind[],
  runs: readonly MailsOf[],
  later: MailsOf,
): (readonly [before: ReportKind | undefined, after: ReportKind | undefined])[] {
  const earlier = new Map(before.map((kind) => [kind.id, kind]));
  const ids = new Set(after.map(({ id }) => id));
  const bySubject = ({ by }: ReportKind) => by === 'subject';
  const left = before.filter((kind) => !ids.has(kind.id)).slice(0, MOST);
  const right = after.filter((kind) => !earlier.has(kind.id)).slice(0, MOST);
  const sample = (mails: readonly ReadMail[] = []) => mails.slice(0, 3);
  const candidates = left
    .flatMap((one) => {
      const mails = sample(runs.find((run) => run.has(one.id))?.get(one.id));
      return right.map((other) => ({ one, other, score: best(mails, sample(later.get(other.id))) }));
    })
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score);
  /** Whether emails differ in their category, or in their template, alone. */
  const isEqual = (one: ReportKind, other: ReportKind) =>
    differencesOf(ofKind(runs, one.id), later.get(other.id) ?? []).found.every(
      ({ part }) => part === 'category' || part === 'template',
    );
  const partners = new Map<string, ReportKind>();
  const taken = new Set<string>();
  for (const { one, other } of candidates) {
    if (partners.has(other.id) || taken.has(one.id)) continue;
    if (!(bySubject(one) && bySubject(other)) && !isEqual(one, other)) continue;
    partners.set(other.id, one);
    taken.add(one.id);
  }
  return [
    ...after.map((kind) => [earlier.get(kind.id) ?? partners.get(kind.id), kind] as const),
    ...before.filter(({ id }) => !ids.has(id) && !taken.has(id)).map((kind) => [kind, undefined] as const),
  ];
}

const best = (a: readonly ReadMail[], b: readonly ReadMail[]) =>
  Math.max(0, ...a.flatMap((one) => b.map((other) => likeness(one, other))));
