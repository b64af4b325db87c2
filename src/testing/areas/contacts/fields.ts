import { created, noContent, notFound, ok, unprocessable, type Exchange } from '../../route.ts';
import { FieldErrors, required } from '../field-errors.ts';
import type { ContactEndpoint } from './endpoint.ts';
import type { ContactStore, FieldRecord } from './store.ts';

const MAX_FIELDS = 40;
const MAX_LENGTH = 80;
const TYPES: readonly unknown[] = ['text', 'integer', 'float', 'boolean', 'date'];

/** The endpoints of contact fields. */
export function fieldEndpoints(
  store: ContactStore,
  usesOf: (accountId: number, mergeTag: string) => readonly string[],
): readonly ContactEndpoint[] {
  const found = ({ params, token }: Exchange): FieldRecord => {
    const field = store.findField(token.accountId, Number(params.id));
    if (field === undefined) throw notFound();
    return field;
  };
  /** The name and the merge tag, and the errors in them. */
  const read = ({ body, token }: Exchange, current?: FieldRecord) => {
    const errors = new FieldErrors();
    const given = body();
    const name = required(given.name, current?.name ?? '', 'name', errors, MAX_LENGTH);
    const tag = required(given.merge_tag, current?.mergeTag ?? '', 'merge_tag', errors, MAX_LENGTH);
    const others = store.fields(token.accountId).filter((other) => other !== current);
    if (others.some(({ mergeTag }) => mergeTag === tag)) errors.add('merge_tag', 'has already been taken');
    return { name, tag, dataType: given.data_type, errors, isFull: others.length >= MAX_FIELDS };
  };
  return [
    {
      tail: '/fields',
      method: 'GET',
      handler: ({ token }) => ok(store.fields(token.accountId).map(fieldView)),
    },
    {
      tail: '/fields',
      method: 'POST',
      handler: (exchange) => {
        const { name, tag, dataType, errors, isFull } = read(exchange);
        if (!TYPES.includes(dataType)) errors.add('data_type', 'is not included in the list');
        if (isFull) errors.add('base', `The limit of ${MAX_FIELDS} contact fields is reached`);
        errors.throwIfAny();
        const { accountId } = exchange.token;
        const field = store.addField({ accountId, name, mergeTag: tag, dataType: String(dataType) });
        return created(fieldView(field));
      },
    },
    { tail: '/fields/:id', method: 'GET', handler: (exchange) => ok(fieldView(found(exchange))) },
    {
      tail: '/fields/:id',
      method: 'PATCH',
      handler: (exchange) => {
        const field = found(exchange);
        const { name, tag, errors } = read(exchange, field);
        errors.throwIfAny();
        field.name = name;
        store.renameTag(field, tag);
        return ok(fieldView(field));
      },
    },
    {
      tail: '/fields/:id',
      method: 'DELETE',
      handler: (exchange) => {
        const field = found(exchange);
        const uses = usesOf(field.accountId, field.mergeTag);
        if (uses.length > 0) {
          throw unprocessable({ usage: [`This field is used in campaign(s): ${uses.join(', ')}.`] });
        }
        store.removeField(field);
        return noContent();
      },
    },
  ];
}

function fieldView({ id, name, dataType, mergeTag }: FieldRecord) {
  return { id, name, data_type: dataType, merge_tag: mergeTag };
}
