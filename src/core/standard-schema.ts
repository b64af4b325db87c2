import { mustBe } from './rules.ts';

/**
 * The part of the Standard Schema interface (https://standardschema.dev) this package relies on: zod, valibot,
 * arktype and others all implement it.
 */
export interface StandardSchema<Output = unknown> {
  /** The property by which libraries recognize a Standard Schema. */
  readonly '~standard': {
    /** Version of the standard. */
    readonly version: 1;
    /** Name of the library the schema was made with. */
    readonly vendor: string;
    /** Validates a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Types of the schema, for inference only. */
    readonly types?:
      | {
          /** Type the schema accepts. */
          readonly input: unknown;
          /** Type the schema produces. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** The result of validating a value: the schema's output, or what is wrong with the value. */
export type StandardResult<Output> =
  | {
      /** The schema's output, which may differ from the value. */
      readonly value: Output;
      /** Absent on success. */
      readonly issues?: undefined;
    }
  | {
      /** Everything that is wrong with the value. */
      readonly issues: readonly StandardIssue[];
    };

/** One problem a schema found in a value. */
export interface StandardIssue {
  /** Description of the problem. */
  readonly message: string;
  /** Where in the value the problem is: keys from the outermost to the innermost. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** A field's name, or an item's index. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}

/** A value is recognized as a Standard Schema by the standard's own property; arktype's schemas are functions. */
export const schemaRule = mustBe(
  'a Standard Schema',
  (value) => typeof (Object(value) as Partial<StandardSchema>)['~standard']?.validate === 'function',
);

/** A path as written in code: `data.contact_list_ids[2]`. */
export function pathText(path: StandardIssue['path'] = []): string {
  let text = '';
  for (const step of path) {
    const key = typeof step === 'object' ? step.key : step;
    text += typeof key === 'number' ? `[${key}]` : text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}
