import type * as z from 'zod';
import type { Page } from '../../core/pager.ts';

/**
 * The type of a schema of an interface: its output is assignable to the interface, and it has each field of the
 * interface, also the optional ones.
 */
export type SchemaOf<T> = z.ZodType<T> & {
  readonly shape: { readonly [Name in keyof T]-?: z.ZodType };
};

/** The type that a schema describes: for a page, the fields of its body. */
type Described<R> = R extends Page<unknown> ? Omit<R, keyof Page<unknown>> : R;

/** The type of the schema of a response. */
export type SchemaFor<R> = [R] extends [readonly unknown[]]
  ? z.ZodType<R>
  : string extends keyof R
    ? z.ZodType<R>
    : SchemaOf<Described<R>>;
