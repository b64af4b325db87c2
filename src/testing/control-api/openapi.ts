/** The door as an OpenAPI document, for those who write a client of it in another language. */
import { VERSION } from '../../version.ts';
import type { Kind } from '../checks/kind.ts';
import { snakeCase } from './names.ts';
import type { DoorRow } from './rows.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A kind as a JSON Schema. */
export function schemaOf({ json: form, what }: Kind): Schema {
  if (form === undefined) return what === 'anything' ? {} : { description: what };
  switch (form.type) {
    case 'one of':
      return { enum: form.values };
    case 'or':
      return { anyOf: [schemaOf(form.kind), form.other === null ? { type: 'null' } : { const: false }] };
    case 'array':
      return { type: 'array', items: schemaOf(form.of) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(form.of) };
    case 'written':
      return { ...form.schema, description: what };
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(form.fields).map(([name, kind]) => [name, schemaOf(kind)]),
        ),
        ...(form.needed.length > 0 && { required: form.needed }),
        additionalProperties: false,
      };
    case 'string':
    case 'boolean':
      return what === 'a string' || what === 'true or false'
        ? { type: form.type }
        : { type: form.type, description: what };
    default:
      return { type: form.type, description: what };
  }
}

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
});

function answerOf({ answer }: DoorRow): Schema {
  if (answer === undefined) return { 204: { description: 'Done.' } };
  const [type, schema] =
    typeof answer === 'string' ? [answer, { type: 'string' }] : ['application/json', schemaOf(answer)];
  return { 200: { description: 'Done.', content: { [type]: { schema } } } };
}

/** The operation of a row. */
function operation(row: DoorRow): Schema {
  const parameters = [
    ...Object.entries(row.params).map(([name, kind]) => ({
      name,
      in: 'path',
      required: true,
      schema: schemaOf(kind),
    })),
    ...Object.entries(row.query).map(([name, { kind, isOptional }]) => ({
      name: snakeCase(name),
      in: 'query',
      required: !isOptional,
      schema: schemaOf(kind),
    })),
  ];
  const takesAnything = parameters.length > 0 || row.body !== undefined;
  return {
    operationId: row.name,
    summary: row.words,
    tags: [row.path.split('/')[1]],
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && {
      requestBody: {
        required: row.needsBody,
        content: { 'application/json': { schema: schemaOf(row.body) } },
      },
    }),
    responses: {
      ...answerOf(row),
      ...(takesAnything && { 400: refusal('A field is wrong; the message names it and the rule.') }),
      ...(!row.isOpen && { 401: refusal('The control token is missing or wrong.') }),
      ...('id' in row.params &&
        typeof row.answer === 'string' && { 404: refusal('There is no such email.') }),
    },
    ...(row.isOpen && { security: [] }),
  };
}

/** The document, for a door at an address. */
export function openApi(rows: readonly DoorRow[], url: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  // That of a browser's user is a page and no request of a program.
  for (const row of rows.filter(({ name }) => name !== 'open'))
    (paths[row.path] ??= {})[row.method.toLowerCase()] = operation(row);
  return {
    openapi: '3.1.0',
    info: {
      title: 'The control door of the emulator of email-platform',
      version: VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ controlToken: [] }],
    paths,
    components: {
      securitySchemes: { controlToken: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Refusal: {
          type: 'object',
          properties: { error: { type: 'string' }, name: { enum: ['TypeError', 'RangeError'] } },
          required: ['error'],
          additionalProperties: false,
        },
      },
    },
  };
}
