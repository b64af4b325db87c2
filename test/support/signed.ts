import { createHmac } from 'node:crypto';

export const SECRET = '8d20cf5ea2d1a0b3b4c5d6e7f8091a2b';

/** The signature of a body, as the service makes it; by Node's own means. */
export const signatureOf = (body: string | Uint8Array, secret = SECRET): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** A body and its signature. */
export const signed = (body: string | Uint8Array, secret = SECRET) => ({
  payload: body,
  signature: signatureOf(body, secret),
});

/** An event as the service posts it. */
export const delivery = {
  event: 'delivery',
  message_id: '1df37d17-0286-4d8b-8edf-bc4ec5be86e6',
  sending_stream: 'transactional',
  email: 'ann@example.org',
  sending_domain_name: 'mail.example.com',
  timestamp: 1_772_366_400,
  event_id: '502b4ebe-31ad-4dab-9e15-d1c7f5b7ae2c',
};
