/**
 * The part of the Standard Schema interface (https://standardschema.dev) this package relies on: zod, valibot,
 * arktype and others all implement it.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a schema says of a value: its output, or what is wrong with it. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One thing a schema found wrong. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
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
