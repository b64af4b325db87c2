import { isFull } from './extent.ts';

/** The requirements for a covering set of pairs of rows and columns. */
export interface Cover<Row, Column> {
  /** Every column meets a row of each kind. Some columns may tell fewer kinds apart than others. */
  readonly kind: (row: Row, column: Column) => string;
  /** Every row meets a column of each group. */
  readonly group: (column: Column) => string;
  readonly isPossible?: (row: Row, column: Column) => boolean;
}

/**
 * For each column of a matrix, the rows to test with it: in full, all possible ones; otherwise a set that covers each
 * row, each column and each group, and takes all members of a kind or group in turn.
 */
export function covering<Row, Column>(
  rows: readonly Row[],
  columns: readonly Column[],
  cover: Cover<Row, Column>,
  inFull = isFull,
): ReadonlyMap<Column, readonly Row[]> {
  const { isPossible = () => true } = cover;
  if (inFull)
    return new Map(columns.map((column) => [column, rows.filter((row) => isPossible(row, column))] as const));
  const chosen = new Map(columns.map((column) => [column, new Set<Row>()] as const));
  const takeTurns = <T>(all: readonly T[], turn: number) =>
    all.length === 0 ? [] : [all[turn % all.length] as T];
  columns.forEach((column, turn) => {
    for (const kind of grouped(rows, (row) => cover.kind(row, column))) {
      const possible = kind.filter((row) => isPossible(row, column));
      for (const row of takeTurns(possible, turn)) chosen.get(column)?.add(row);
    }
  });
  rows.forEach((row, turn) => {
    for (const group of grouped(columns, cover.group)) {
      const possible = group.filter((column) => isPossible(row, column));
      if (possible.some((column) => chosen.get(column)?.has(row))) continue;
      for (const column of takeTurns(possible, turn)) chosen.get(column)?.add(row);
    }
  });
  // In the order of the rows, so that failures are reported in that order.
  return new Map([...chosen].map(([column, some]) => [column, rows.filter((row) => some.has(row))] as const));
}

function grouped<T>(all: readonly T[], nameOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return [...groups.values()];
}

/** The size of the covering set, for the output of a test run. */
export const sizeOf = (chosen: ReadonlyMap<unknown, readonly unknown[]>): number =>
  [...chosen.values()].reduce((sum, some) => sum + some.length, 0);
