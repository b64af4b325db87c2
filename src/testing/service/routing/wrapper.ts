import { fits, plainObject } from '../../declare/kind.ts';
import { Refusal } from '../wire/reply.ts';

/**
 * Returns the object in a body that wraps the fields. If it is missing or empty, the framework of the service refuses the
 * request: 400 with an empty page. One endpoint was recorded; the emulator assumes the same of all endpoints with a
 * wrapper.
 */
export function wrapped(
  body: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const inner = body[name];
  if (fits(plainObject, inner) && Object.keys(inner).length > 0) return inner;
  throw new Refusal({ status: 400, content: { type: 'text/html; charset=UTF-8', body: '' } });
}
