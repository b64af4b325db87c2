/**
 * The part of the Standard Schema interface (https://standardschema.dev) this package relies on: zod, valibot,
 * arktype and others all implement it.
 */
export interface StandardSchema<Output = unknown> {
  /** What a library that knows the standard asks for. */
  readonly '~standard': {
    /** Of the standard. */
    readonly version: 1;
    /** The library the schema was made with. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For the compiler alone. */
    readonly types?:
      | {
          /** What the schema takes. */
          readonly input: unknown;
          /** What it gives. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** What a schema says of a value: its output, or what is wrong with it. */
export type StandardResult<Output> =
  | {
      /** The schema's output. */
      readonly value: Output;
      /** None. */
      readonly issues?: undefined;
    }
  | {
      /** Everything that is wrong. */
      readonly issues: readonly StandardIssue[];
    };

/** One thing a schema found wrong. */
export interface StandardIssue {
  /** The rule that was broken. */
  readonly message: string;
  /** Where in the value, from the outside in. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** The field's name, or the item's position. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}

/** A schema's path as one writes it in code: `data.contact_list_ids[2]`. */
export function pathText(path: StandardIssue['path'] = []): string {
  let text = '';
  for (const step of path) {
    const key = typeof step === 'object' ? step.key : step;
    text += typeof key === 'number' ? `[${key}]` : text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}
