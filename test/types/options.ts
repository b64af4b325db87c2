import {
  createThrottle,
  EmailPlatform,
  type EmailPlatformOptions,
  type RequestOptions,
} from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';

export function right(signal: AbortSignal): unknown[] {
  const options: EmailPlatformOptions = {
    token: () => Promise.resolve('token'),
    auth: 'api-token',
    accountId: 1,
    hosts: { api: new URL('https://api.example.com'), send: 'https://send.example.com' },
    timeoutMs: 1000,
    retry: { maxRetries: 1 },
    throttle: { limits: { token: { requests: 1, perMs: 1000 }, stats: false }, pace: 'even' },
    fetch: (input, init) => fetch(input, init),
    hooks: { onRequest: ({ attempt }) => attempt.toFixed() },
    appInfo: { name: 'shop', version: '1.0.0' },
    recipients: {
      allow: ['@us.example'],
      otherwise: { redirectTo: 'team@us.example' },
      allowCampaigns: true,
    },
    logger: console,
    logLevel: 'debug',
    sendCallId: true,
  };
  const call: RequestOptions = { signal, retry: false, priority: 'low', headers: { 'x-trace': '1' } };
  const live: EmailPlatformOptions = { hosts: { domain: 'example.com' } };
  const client = new EmailPlatform(options);
  const shared = client.withOptions({ throttle: createThrottle({ pace: 'burst' }), token: 'other' });
  return [
    live,
    new EmailPlatform(),
    new EmailPlatform({ fetch, retry: false, throttle: false, token: undefined }),
    client.campaigns.get(1, call),
    client.withOptions({ recipients: { allow: [] } }),
    client.withOptions({ recipients: { allow: ['@us.example'], otherwise: 'refuse' } }),
    client.withOptions({ logger: false, logLevel: undefined }),
    shared.limits.estimate(100),
    client.limits.snapshot().token?.used,
  ];
}

export async function emulated(): Promise<Emulator> {
  const emulator = createEmulator({ seed: 'demo', limits: false });
  const server = await emulator.listen({ port: 0 });
  new EmailPlatform(emulator.clientOptions());
  new EmailPlatform({ ...server.clientOptions(), timeoutMs: 100 });
  await emulator.listen({ allowedHosts: ['a.test'], cors: { origins: ['http://a.test'], expose: ['Date'] } });
  // @ts-expect-error the origins are missing
  await emulator.listen({ cors: { expose: ['Date'] } });
  // @ts-expect-error one origin is no list of origins
  await emulator.listen({ cors: { origins: 'http://a.test' } });
  // @ts-expect-error no such option
  await emulator.listen({ address: '0.0.0.0' });
  emulator.faults.next({ kind: 'status', status: 500 });
  // @ts-expect-error no such fault
  emulator.faults.next({ kind: 'explode' });
  // @ts-expect-error no such seed
  createEmulator({ seed: 'everything' });
  await server.close();
  return emulator;
}

export const wrong = (): unknown[] => [
  // @ts-expect-error no such option
  new EmailPlatform({ apiKey: 'token' }),
  // @ts-expect-error durations end in Ms
  new EmailPlatform({ timeout: 1000 }),
  // @ts-expect-error a token is a string
  new EmailPlatform({ token: 123 }),
  // @ts-expect-error no such auth scheme
  new EmailPlatform({ auth: 'basic' }),
  // @ts-expect-error no such host
  new EmailPlatform({ hosts: { web: 'https://example.com' } }),
  // @ts-expect-error retrying is switched off by false alone
  new EmailPlatform({ retry: true }),
  // @ts-expect-error no such level
  new EmailPlatform({ logLevel: 'verbose' }),
  // @ts-expect-error a logger has a method for each level
  new EmailPlatform({ logger: { warn: () => undefined } }),
  // @ts-expect-error its fields come first
  new EmailPlatform({ logger: { ...console, warn: (message: string) => message.trim() } }),
  // @ts-expect-error the id is the call's own
  new EmailPlatform({ sendCallId: 'mine' }),
  // @ts-expect-error a logger is switched off by false alone
  new EmailPlatform({ logger: true }),
  // @ts-expect-error no such stream
  new EmailPlatform({ stream: 'fast' }),
  // @ts-expect-error the list is missing
  new EmailPlatform({ recipients: { otherwise: 'refuse' } }),
  // @ts-expect-error one entry is no list
  new EmailPlatform({ recipients: { allow: '@us.example' } }),
  // @ts-expect-error a redirect needs an address
  new EmailPlatform({ recipients: { allow: [], otherwise: 'redirect' } }),
  // @ts-expect-error it redirects to one address
  new EmailPlatform({ recipients: { allow: [], otherwise: { redirectTo: ['team@us.example'] } } }),
  // @ts-expect-error there is no switch to turn a guard off
  new EmailPlatform({ recipients: false }),
  // @ts-expect-error no such pool
  createThrottle({ limits: { everything: false } }),
  // @ts-expect-error there is no other argument
  new EmailPlatform({}, {}),
];

export const traces = (call: EmailPlatform.CallTrace, attempt: EmailPlatform.AttemptTrace): unknown[] => {
  attempt.headers.traceparent = '00-1';
  const { name, code, effect, status } = call.error ?? {};
  return [
    call.callId.length,
    call.template?.length,
    call.server?.port.toFixed(),
    call.attempts?.toFixed(),
    attempt.attempt.toFixed(),
    [name, code, effect, status],
    // @ts-expect-error the error itself is not in it
    call.error?.message,
    // @ts-expect-error nor is a path
    call.path,
    // @ts-expect-error only an attempt has headers
    call.headers,
  ];
};

export const logged: EmailPlatform.Logger = {
  ...console,
  error: (fields: EmailPlatform.LogFields, message) => [fields.callId, message.trim()],
};

export const hooks: EmailPlatform.Hooks = {
  onResponse: (event) => {
    // @ts-expect-error events are frozen
    event.attempt = 2;
  },
  // @ts-expect-error no such event
  onEverything: () => undefined,
};
