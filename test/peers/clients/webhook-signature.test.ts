import { createRequire } from 'node:module';
import { triggerEvent } from 'email-platform/testing';
import { readWebhook } from 'email-platform/webhooks';
import { beforeAll, expect, test } from 'vitest';

type Verify = (payload: string, signature: string, secret: string) => boolean;

let verify: Verify;
beforeAll(() => {
  // It is no module of the project, which is compiled without it.
  const require = createRequire(import.meta.url);
  ({ verifyWebhookSignature: verify } = require('mailtrap') as { verifyWebhookSignature: Verify });
});

const to = 'http://localhost:3000/hooks';
const answering = () => Promise.resolve(new Response());

test.each(['delivery', 'bounce', 'inbound.message_received', 'activity_log.user.created'] as const)(
  "the service's own client and this package verify a triggered event alike: %s",
  async (type) => {
    const { body, headers, secret } = await triggerEvent(type, { to, fetch: answering });
    const signature = headers['x-webhook-signature'] ?? '';
    expect(verify(body, signature, secret)).toBe(true);
    expect(await readWebhook({ payload: body, headers }, { secret })).toHaveLength(1);
    expect(verify(`${body} `, signature, secret)).toBe(false);
    await expect(readWebhook({ payload: `${body} `, headers }, { secret })).rejects.toThrow();
  },
);
