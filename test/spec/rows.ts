import { beforeAll, describe, expect, test } from 'vitest';

/** A type, with a check of its values at run time. */
export interface Kind<T> {
  readonly fits: (value: unknown) => boolean;
  /** For the compiler only: makes it exactly this type, neither wider nor narrower. */
  readonly same?: (value: T) => T;
}

export const kind = <T>(fits: (value: unknown) => boolean): Kind<T> => ({ fits });

export const integer = kind<number>(Number.isSafeInteger);
export const text = kind<string>((value) => typeof value === 'string');
export const flag = kind<boolean>((value) => typeof value === 'boolean');
export const url = kind<string>((value) => typeof value === 'string' && URL.canParse(value));
export const dateTime = kind<string>(
  (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !isNaN(Date.parse(value)),
);
export const date = kind<string>((value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value));
export const uuid = kind<string>(
  (value) => typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value),
);
export const record = kind<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
export const orNull = <T>({ fits }: Kind<T>) => kind<T | null>((value) => value === null || fits(value));
export const listOf = <T>({ fits }: Kind<T>) =>
  kind<T[]>((value) => Array.isArray(value) && value.every((one) => fits(one)));

/** One row of a table of fields: its text, the type of the field's values, and whether the field may be missing. */
type Row<V> = undefined extends V
  ? readonly [row: string, kind: Kind<Exclude<V, undefined>>, 'not always']
  : readonly [row: string, kind: Kind<V>];

/** A table of fields: every field of the type has its row, with the type it is declared with. */
export type Rows<T> = { readonly [K in keyof T]-?: Row<T[K]> };

/** An object whose fields are those of a table. */
export const fieldsOf = <T extends object>(rows: Rows<T>) =>
  kind<T>((value) => {
    const fields = Object.entries(rows) as [string, readonly [string, Kind<unknown>, 'not always'?]][];
    return (
      record.fits(value) &&
      fields.every(([field, [, { fits }, isNotAlways]]) =>
        Object.hasOwn(value as object, field) ? fits((value as Record<string, unknown>)[field]) : isNotAlways,
      )
    );
  });

/** Tests each field of a table in the service's responses: it is present, and of its type. */
export function everyRow<T extends object>(
  section: string,
  rows: Rows<T>,
  examples: () => Promise<readonly T[]>,
): void {
  describe(section, () => {
    let answered: readonly Record<string, unknown>[] = [];
    beforeAll(async () => {
      answered = (await examples()) as readonly Record<string, unknown>[];
    });

    const fields = Object.entries(rows) as [string, readonly [string, Kind<unknown>, 'not always'?]][];
    test.each(fields.map(([field, [row, ...rest]]) => [row, field, ...rest] as const))(
      '%s',
      (_row, field, { fits }, isNotAlways) => {
        const having = answered.filter((one) => Object.hasOwn(one, field));
        expect(having.length).toBeGreaterThan(0);
        if (isNotAlways === undefined) expect(having).toHaveLength(answered.length);
        expect(having.map((one) => one[field]).filter((value) => !fits(value))).toEqual([]);
      },
    );
  });
}
