import type { Emulator } from 'email-platform/testing';
import { wire, type Answer, type Call } from './wire.ts';

/** A mail that is accepted as it is. */
export const mail = {
  from: { email: 'hello@mail.example.com', name: 'Hello' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Welcome',
  text: 'Good morning',
};

/** Where the first test inbox takes mail. */
export const inbox = '2001';

type Host = NonNullable<Call['host']>;

/** Sends one mail: {@link mail} with these fields in place of its own. */
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

/** The message ids of an answer. */
export function idsOf(answer: Answer): string[] {
  const { message_ids: ids = [] } = answer.value as { message_ids?: string[] };
  return ids;
}

/** The errors of an answer of a sending host. */
export function errorsOf(answer: Answer): string[] {
  const { errors = [] } = answer.value as { errors?: string[] };
  return errors;
}

/** The templates created through the service so far need a UUID to be sent with: creates one and returns it. */
export async function createTemplate(
  emulator: Emulator,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const body = { email_template: { name: 'Welcome', subject: 'Hi', category: 'onboarding', ...fields } };
  const { value } = await wire(emulator)('POST', '/api/email_templates', { body });
  return (value as { uuid: string }).uuid;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
