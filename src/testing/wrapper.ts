import { fits, plainObject } from './checks/kind.ts';
import { Refusal } from './route.ts';

/**
 * Returns the object that wraps the fields of a body. If it is missing or empty, the framework of the service
 * responds before the service does: 400 with an empty page. This was recorded for one endpoint and is assumed for all
 * endpoints with a wrapper.
 */
export function wrapped(
  body: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const inner = body[name];
  if (fits(plainObject, inner) && Object.keys(inner).length > 0) return inner;
  throw new Refusal({ status: 400, content: { type: 'text/html; charset=UTF-8', body: '' } });
}
