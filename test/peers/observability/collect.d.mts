export interface CollectedSpan {
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly id: string;
  readonly trace: string;
  readonly parent: string | undefined;
}

export interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly count: number;
  }[];
}
