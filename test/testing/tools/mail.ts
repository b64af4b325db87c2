import type { Emulator } from 'email-platform/testing';
import { wire, type Answer, type Call } from './wire.ts';

/** A valid email. */
export const mail = {
  from: { email: 'hello@mail.example.com', name: 'Hello' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Welcome',
  text: 'Good morning',
};

/** The id of the first test inbox. */
export const inbox = '2001';

type Host = NonNullable<Call['host']>;

/** Sends one email: {@link mail} with these fields instead of its own. */
export function post(
  emulator: Emulator,
  fields: Record<string, unknown> = {},
  { host = 'send', ...call }: Call = {},
): Promise<Answer> {
  const path = host === 'sandbox' ? `/api/send/${inbox}` : '/api/send';
  return wire(emulator)('POST', path, { host, body: { ...mail, ...fields }, ...call });
}

export function postBatch(emulator: Emulator, body: unknown, host: Host = 'send'): Promise<Answer> {
  return wire(emulator)('POST', host === 'sandbox' ? `/api/batch/${inbox}` : '/api/batch', { host, body });
}

/** The message ids in a response. */
export function idsOf(answer: Answer): string[] {
  const { message_ids: ids = [] } = answer.value as { message_ids?: string[] };
  return ids;
}

/** The errors in a response of a sending host. */
export function errorsOf(answer: Answer): string[] {
  const { errors = [] } = answer.value as { errors?: string[] };
  return errors;
}

/** Creates a template and returns its UUID. */
export async function createTemplate(
  emulator: Emulator,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const body = { email_template: { name: 'Welcome', subject: 'Hi', category: 'onboarding', ...fields } };
  const { value } = await wire(emulator)('POST', '/api/email_templates', { body });
  return (value as { uuid: string }).uuid;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
