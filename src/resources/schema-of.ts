import type * as z from 'zod';

/**
 * The type a schema of an interface has to satisfy: what it produces is assignable to the interface, and it has a field
 * for each of the interface's, optional ones too.
 */
export type SchemaOf<T> = z.ZodType<T> & {
  readonly shape: { readonly [Name in keyof T]-?: z.ZodType };
};
