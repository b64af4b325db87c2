import { Refusal } from '../route.ts';

/**
 * The object a body is wrapped in. Where it is missing or empty the service's framework answers before the service
 * does: 400 with an empty page, as recorded for one endpoint and assumed for all that have a wrapper.
 */
export function wrapped(body: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const inner = body[name];
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(inner).length > 0) {
    return inner as Record<string, unknown>;
  }
  throw new Refusal({ status: 400, content: { type: 'text/html; charset=UTF-8', body: '' } });
}
