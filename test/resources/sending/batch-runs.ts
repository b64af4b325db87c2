import type { BatchOutcome, BatchRequest } from 'email-platform';

export const base = { from: { email: 'hello@mail.example.com' }, subject: 'Hi', text: 'Hello' };

/** An email to one recipient, who is identified by a number. */
export const mailTo = (index: number) => ({ to: [{ email: `user-${index}@example.org` }] });

/** `count` emails, generated one by one; `seen` records how many were read, and whether the input was closed. */
export function numbered(count: number) {
  const seen = { read: 0, closed: false };
  function* generate() {
    try {
      for (; seen.read < count; seen.read += 1) yield mailTo(seen.read);
    } finally {
      seen.closed = true;
    }
  }
  return { mails: generate(), seen };
}

/** Every outcome of a run, and what it threw at the end. */
export async function collected<Input extends BatchRequest>(run: AsyncIterable<BatchOutcome<Input>>) {
  const outcomes: BatchOutcome<Input>[] = [];
  let thrown: unknown;
  try {
    for await (const outcome of run) outcomes.push(outcome);
  } catch (error) {
    thrown = error;
  }
  return { outcomes, thrown };
}

/** How many outcomes there are of each status. */
export function counted(outcomes: readonly BatchOutcome[]): Partial<Record<BatchOutcome['status'], number>> {
  const counts: Partial<Record<BatchOutcome['status'], number>> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The positions, in order. */
export const indexes = (outcomes: readonly BatchOutcome[]) =>
  outcomes.map(({ index }) => index).sort((one, other) => one - other);

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
