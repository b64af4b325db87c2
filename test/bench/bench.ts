/** What a bench is given. */
export interface BenchContext {
  /** The package's own folder. */
  readonly root: string;
  /** A folder in which nothing but the packed tarball is installed. */
  readonly consumer: string;
  /** A quick run that shows that everything works; its times mean little and break no ceiling. */
  readonly isSmoke: boolean;
}

/** What a bench found: lines to print, and which promises were not kept. */
export interface BenchResult {
  readonly lines: readonly string[];
  readonly broken: readonly string[];
}

/** One bench: the default export of a `*.bench.ts` file beside this one. */
export interface Bench {
  readonly title: string;
  /** Runs only when named: it takes long, or rewrites a file that is checked in. */
  readonly isOnRequest?: boolean;
  run(context: BenchContext): Promise<BenchResult>;
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Columns of equal width: the first to the left, the others to the right. */
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

/** A number with so many digits after its point. */
export const digits = (value: number, count: number): string => value.toFixed(count);
