import type { StandardSchemaV1 } from '@standard-schema/spec';
import { mustBe } from './rules.ts';

/**
 * A schema with the [Standard Schema](https://standardschema.dev) interface, for example of zod, valibot or arktype.
 */
export type StandardSchema<Output = unknown> = StandardSchemaV1<unknown, Output>;

/** The result of a schema for a value: its output, or the issues. */
export type StandardResult<Output> = StandardSchemaV1.Result<Output>;

/** One problem a schema found in a value. */
export type StandardIssue = StandardSchemaV1.Issue;

/** A value is recognized as a Standard Schema by the standard's own property; arktype's schemas are functions. */
export const schemaRule = mustBe(
  'a Standard Schema',
  (value) => typeof (Object(value) as Partial<StandardSchema>)['~standard']?.validate === 'function',
);

/** A path as written in code: `data.contact_list_ids[2]`. `shown` formats the names. */
export const pathText = (
  path: StandardIssue['path'] = [],
  shown: (name: string) => string = (name) => name,
): string =>
  path
    .map((step) => (typeof step === 'object' ? step.key : step))
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${shown(String(key))}`))
    .join('')
    .replace(/^\./, '');
