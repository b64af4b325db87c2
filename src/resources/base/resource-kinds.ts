import type { RequestContext } from '../../core/request.ts';

/** Kinds of resources with another name in paths under an account. */
const KINDS: readonly (readonly [string, string])[] = [
  ['domain', 'sending_domain'],
  ['sandbox', 'inbox'],
];

interface Named {
  readonly resource_type: string;
  readonly resource_id: number | string;
}

/** A body with the path's names of kinds, in the list `field`. Runs after the check of the parameters. */
export const withKindsIn =
  <Field extends string>(field: Field) =>
  (
    params: Readonly<Partial<Record<Field, readonly Named[] | undefined>>>,
    { accountId }: RequestContext,
  ) => ({
    toJSON: () => ({
      ...params,
      [field]: params[field]?.map((one) => {
        const names = KINDS.find((pair) => pair.includes(one.resource_type));
        const resource_type = names?.[accountId === undefined ? 0 : 1] ?? one.resource_type;
        // As recorded for permissions; for tokens, the service takes a number too.
        return { ...one, resource_type, resource_id: String(one.resource_id) };
      }),
    }),
  });
