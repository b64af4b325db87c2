import { route, type Exchange } from '../../routing/route.ts';
import { created, noContent, ok, orNotFound, unprocessable } from '../../wire/reply.ts';
import { FieldErrors, NOT_IN_LIST, required } from '../../wire/fields.ts';
import { oneOf } from '../../../declare/kind.ts';
import type { World } from '../../state/world.ts';
import { CONTACTS } from '../../state/audience/contact-input.ts';
import type { FieldRecord } from '../../state/audience/contacts.ts';

const MAX_FIELDS = 40;
const MAX_LENGTH = 80;
const type = oneOf(['text', 'integer', 'float', 'boolean', 'date']);

/** The endpoints of contact fields. */
export function fieldRoutes({ contacts, campaigns }: World) {
  const { fields } = contacts;
  const found = ({ params, token }: Exchange) => orNotFound(fields.find(token.accountId, Number(params.id)));
  /** The name and the merge tag, and the errors in them. */
  const read = ({ body, token }: Exchange, current?: FieldRecord) => {
    const errors = new FieldErrors();
    const input = body();
    const name = required(input.name, current?.name ?? '', 'name', errors, MAX_LENGTH);
    const tag = required(input.merge_tag, current?.mergeTag ?? '', 'merge_tag', errors, MAX_LENGTH);
    const others = fields.of(token.accountId).filter((other) => other !== current);
    if (others.some(({ mergeTag }) => mergeTag === tag)) errors.add('merge_tag', 'has already been taken');
    return { name, tag, dataType: input.data_type, errors, isFull: others.length >= MAX_FIELDS };
  };
  return [
    route('GET /contacts/fields', CONTACTS, ({ token }) => ok(fields.of(token.accountId).map(fieldView))),
    route('POST /contacts/fields', CONTACTS, (exchange) => {
      const { name, tag, dataType, errors, isFull } = read(exchange);
      errors.check(type, dataType, 'data_type', NOT_IN_LIST);
      if (isFull) errors.add('base', `The limit of ${MAX_FIELDS} contact fields is reached`);
      errors.throwIfAny();
      const { accountId } = exchange.token;
      return created(
        fieldView(fields.insert({ accountId, name, mergeTag: tag, dataType: String(dataType) })),
      );
    }),
    route('GET /contacts/fields/{id}', CONTACTS, (exchange) => ok(fieldView(found(exchange)))),
    route('PATCH /contacts/fields/{id}', CONTACTS, (exchange) => {
      const field = found(exchange);
      const { name, tag, errors } = read(exchange, field);
      errors.throwIfAny();
      field.name = name;
      contacts.renameTag(field, tag);
      return ok(fieldView(field));
    }),
    route('DELETE /contacts/fields/{id}', CONTACTS, (exchange) => {
      const field = found(exchange);
      const uses = campaigns.using(field.accountId, field.mergeTag);
      if (uses.length > 0) {
        throw unprocessable({ usage: [`This field is used in campaign(s): ${uses.join(', ')}.`] });
      }
      contacts.removeField(field);
      return noContent();
    }),
  ];
}

function fieldView({ id, name, dataType, mergeTag }: FieldRecord) {
  return { id, name, data_type: dataType, merge_tag: mergeTag };
}
