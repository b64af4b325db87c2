/** The context of a benchmark. */
export interface BenchContext {
  /** The package's own folder. */
  readonly root: string;
  /** A folder in which nothing but the packed tarball is installed. */
  readonly consumer: string;
  /** Whether this is a quick run to check that everything works: its times mean little, and never fail it. */
  readonly isSmoke: boolean;
}

/** The result of a benchmark: lines to print, and the expectations that were not met. */
export interface BenchResult {
  readonly lines: readonly string[];
  readonly broken: readonly string[];
}

/** A benchmark: the default export of a `*.bench.ts` file in this folder. */
export interface Bench {
  readonly title: string;
  /** Runs only if it is named, because it takes long or rewrites a file that is checked in. */
  readonly isOnRequest?: boolean;
  /** Reads only the sources: the package is not packed for it. */
  readonly readsSourcesOnly?: boolean;
  run(context: BenchContext): Promise<BenchResult>;
}

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Half the distance between the quartiles: half of all rounds are no further than this from the middle. */
export function spread(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? NaN;
  return (at(0.75) - at(0.25)) / 2;
}

/** The ratios of one contestant's figures to another's, round by round: what slows a whole round slows both. */
export const ratios = (own: readonly number[], others: readonly number[]): number[] =>
  own.map((value, round) => value / (others[round] ?? NaN));

/** The median with `count` decimals, and the spread beside it: `1.18 ±0.03`. */
export const figure = (values: readonly number[], count: number, unit = ''): string =>
  `${digits(median(values), count)} ±${digits(spread(values), count)}${unit && ` ${unit}`}`;

/** Lines with aligned columns: the first one left-aligned, the others right-aligned. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   '),
  );
}

/** A number with `count` decimals. */
export const digits = (value: number, count: number): string => value.toFixed(count);
