/** The OpenAPI document of the control API, for clients in other languages. */
import { VERSION } from '../../../version.ts';
import type { Kind } from '../../declare/kind.ts';
import { snakeCase } from './path.ts';
import type { Operation } from './operations.ts';
import { WRITTEN } from './serialize.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A kind as a JSON Schema. */
export function schemaOf({ form, what }: Kind): Schema {
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
    case 'any of':
      return { anyOf: form.kinds.map(schemaOf), description: what };
    case 'bytes':
    case 'regular expression':
    case 'infinity':
      return WRITTEN[form.type].schema;
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

function answerOf({ answer }: Operation): Schema {
  if (answer === undefined) return { 204: { description: 'Done.' } };
  const [type, schema] =
    typeof answer === 'string' ? [answer, { type: 'string' }] : ['application/json', schemaOf(answer)];
  return { 200: { description: 'Done.', content: { [type]: { schema } } } };
}

function operationObject(operation: Operation): Schema {
  const parameters = [
    ...Object.entries(operation.params).map(([name, kind]) => ({
      name,
      in: 'path',
      required: true,
      schema: schemaOf(kind),
    })),
    ...Object.entries(operation.query).map(([name, { kind, isOptional }]) => ({
      name: snakeCase(name),
      in: 'query',
      required: !isOptional,
      schema: schemaOf(kind),
    })),
  ];
  const takesAnything = parameters.length > 0 || operation.body !== undefined;
  return {
    operationId: operation.name,
    summary: operation.words,
    tags: [operation.path.split('/')[1]],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && {
      requestBody: {
        required: operation.needsBody,
        content: { 'application/json': { schema: schemaOf(operation.body) } },
      },
    }),
    responses: {
      ...answerOf(operation),
      ...(takesAnything && { 400: refusal('A field is wrong; the message names it and the rule.') }),
      ...(!operation.isOpen && { 401: refusal('The control token is missing or wrong.') }),
      ...('id' in operation.params &&
        typeof operation.answer === 'string' && { 404: refusal('There is no such email.') }),
    },
    ...(operation.isOpen && { security: [] }),
  };
}

/** The OpenAPI document. `url` is the address of the control API. */
export function openApi(operations: readonly Operation[], url: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  // Left out: a browser opens it, programs do not call it.
  for (const one of operations.filter(({ name }) => name !== 'open'))
    (paths[one.path] ??= {})[one.method.toLowerCase()] = operationObject(one);
  return {
    openapi: '3.1.0',
    info: {
      title: 'The control API of the emulator of email-platform',
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
