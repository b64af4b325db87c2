import type * as z from 'zod';
import type { Page } from '../core/pager.ts';
import type { ResponseSchemaName, Responses } from './responses.ts';

/**
 * The type a schema of an interface has to satisfy: what it produces is assignable to the interface, and it has a field
 * for each of the interface's, optional ones too.
 */
export type SchemaOf<T> = z.ZodType<T> & {
  readonly shape: { readonly [Name in keyof T]-?: z.ZodType };
};

/** What a schema describes: of a page, the fields of the body. */
type Described<R> = R extends Page<unknown> ? Omit<R, keyof Page<unknown>> : R;

/** What the schema of a response has to be, by its name. */
export type SchemaFor<Name extends ResponseSchemaName> = Responses[Name] extends readonly unknown[]
  ? z.ZodType<Responses[Name]>
  : string extends keyof Responses[Name]
    ? z.ZodType<Responses[Name]>
    : SchemaOf<Described<Responses[Name]>>;
