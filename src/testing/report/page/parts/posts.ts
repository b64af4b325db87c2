/** Joins the attempts of each webhook post. */
import type { ReportPost } from '../../data/data.ts';

/** A post with all its attempts. Its fields are those of the newest attempt, and its id is that of the first. */
export interface Post extends ReportPost {
  /** Newest first. */
  readonly attempts: readonly ReportPost[];
}

/** Whether the service counts a post as failed: any response but 200. */
export const isFailed = ({ status }: ReportPost): boolean => status !== 200;

/** The posts, the one with the newest attempt first. A first attempt begins a post, also with the body of an earlier one. */
export function postsOf(attempts: readonly ReportPost[]): readonly Post[] {
  const all = new Set<ReportPost[]>();
  const current = new Map<string, ReportPost[]>();
  for (const attempt of [...attempts].reverse()) {
    const key = `${attempt.url}\n${attempt.body}`;
    const made = (attempt.attempt === 1 ? undefined : current.get(key)) ?? [];
    made.unshift(attempt);
    current.set(key, made);
    // To the end of the set.
    all.delete(made);
    all.add(made);
  }
  return [...all].reverse().flatMap((made) => {
    const [newest, first] = [made[0], made.at(-1)];
    return newest && first ? [{ ...newest, id: first.id, attempts: made }] : [];
  });
}

/** The time of the next attempt on the emulator's clock: one that is planned, and has not been made. */
export const nextAttemptOf = ({ attempts }: Post): number | undefined =>
  attempts
    .flatMap(({ nextAt }) => nextAt ?? [])
    .find((nextAt) => !attempts.some(({ clockAt }) => clockAt === nextAt));
