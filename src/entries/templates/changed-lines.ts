const linesOf = (text: string | null) => (text === null ? [] : text.replace(/\n$/, '').split('\n'));

/** Counts the lines in which two texts differ: lines that only one text has. A changed line counts once. */
export function changedLines(one: string | null, other: string | null): number {
  const counts = new Map<string, number>();
  for (const line of linesOf(one)) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of linesOf(other)) counts.set(line, (counts.get(line) ?? 0) - 1);
  let [added, removed] = [0, 0];
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  // A different order of lines counts as one change.
  return one === other ? 0 : Math.max(added, removed, 1);
}
