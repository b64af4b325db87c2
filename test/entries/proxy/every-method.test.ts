import {
  EmailPlatform,
  EmailPlatformError,
  PermissionDeniedError,
  type EmailPlatformOptions,
} from 'email-platform';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../support/calls/call.ts';
import { CALLS } from '../../support/calls/calls.ts';
import { allRoutes } from '../../../src/entries/proxy/routes.ts';
import { scriptedFetch, type SentRequest } from '../../support/scripted-fetch.ts';
import { pageClient, proxyOf } from './harness.ts';

const given = { text: 'Spring is here. '.repeat(20), url: 'https://service.test' };
const hosts = { api: given.url, send: given.url, bulk: given.url, sandbox: given.url };

// A call that says a time says the same each time.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

/** The calls that the client sends to the service by a method. */
const calls = CALLS.filter(({ name, isSigned }) => isSigned !== true && !name.startsWith('request'));

/** The call of a method. */
function callOf(method: string): Call {
  const call = calls.find(({ name }) => name === method);
  if (!call) throw new Error(`There is no call of ${method}.`);
  return call;
}

/** A client of a service that gives this answer. */
function clientOf({ answer }: Call, options: EmailPlatformOptions) {
  const { fetch, sent } = scriptedFetch(() =>
    answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer),
  );
  const client = new EmailPlatform({
    token: 'token-of-the-server',
    sandboxInboxId: 9,
    hosts,
    fetch,
    throttle: false,
    ...options,
  });
  return { client, sent };
}

const seen = ({ method, url, headers, body }: SentRequest) => ({
  method,
  url,
  body: body === '' ? undefined : (JSON.parse(body) as unknown),
  type: headers.get('content-type'),
  authorization: headers.get('authorization'),
});

/** The outcome of a call. */
const outcomeOf = async (call: Call, client: EmailPlatform): Promise<unknown> => {
  const outcome = await Promise.resolve(call.run(client, {}, given)).catch((error: unknown) => error);
  return outcome instanceof EmailPlatformError ? `${outcome.name}: ${outcome.message}` : plain(outcome);
};
/** Without what differs by time. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The addresses that open without the token, and are null in a page: of every result, or by the name of its resource. */
const SIGNED = /^(raw_message_url|download_url|admin|viewer)$/;
const SIGNED_IN: Readonly<Record<string, string>> = {
  'contacts.exports': 'url',
  'sandbox.attachments': 'download_path',
};

/** Secrets that a result has besides: those of other tokens. */
const isSecret = (method: string, name: string) => method === 'accounts.accesses.list' && name === 'token';

/** A result as a page gets it: without signed addresses, and without secrets. Those of a list's pages, which become the proxy's, are left out. */
const inPage = (method: string, value: unknown): unknown => {
  const [own] = Object.entries(SIGNED_IN).find(([resource]) => method.startsWith(`${resource}.`)) ?? [];
  return JSON.parse(JSON.stringify(value ?? null), (name, part: unknown) => {
    if (/^(first|prev|current|next)_url$/.test(name)) return '';
    const isSigned = SIGNED.test(name) || (own !== undefined && name === SIGNED_IN[own]);
    if (isSecret(method, name)) return '[redacted]';
    return isSigned && typeof part === 'string' ? null : part;
  });
};
/** A result that a page got. */
const withoutPages = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (name, part: unknown) =>
    /^(first|prev|current|next)_url$/.test(name) ? '' : part,
  );

describe('through the proxy, the service gets the same request and the page the same result', () => {
  test.each(calls.map((call) => [call.name, call] as const))('%s', async (_, call) => {
    for (const accountId of [undefined, 42]) {
      const direct = clientOf(call, { accountId });
      const behind = clientOf(call, { accountId });
      const { proxy, refusals, failures } = proxyOf(behind.client);
      const result = await outcomeOf(call, direct.client);
      const viaProxy = await outcomeOf(call, pageClient(proxy));
      expect(refusals.map(({ reason, operation }) => `${reason} ${String(operation)}`)).toEqual([]);
      expect(failures).toEqual([]);
      expect(direct.sent.length).toBeGreaterThan(0);
      expect(behind.sent.map(seen)).toEqual(direct.sent.map(seen));
      expect(withoutPages(viaProxy)).toEqual(inPage(call.name, result));
    }
  });

  test('for every operation', () => {
    const names = calls.map(({ name }) => name.replace(/ .*$/, ''));
    const operations = allRoutes().map(({ operation }) => operation as string);
    expect(operations.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("under a visitor's account", () => {
  const ofVisitor = { authorize: () => ({ visitor: 'ann', accountId: 7 }) };

  test.each(calls.map((call) => [call.name, call] as const))(
    '%s is sent under it, or refused',
    async (_, call) => {
      const direct = clientOf(call, { accountId: 7 });
      const behind = clientOf(call, { accountId: 42 });
      const { proxy, refusals } = proxyOf(behind.client, ofVisitor);
      // Only a call that names the account itself reads the log under it.
      const readsLog = /^emailLogs|settleUnknown$/.test(call.name);
      const options: object = readsLog ? { accountId: 7 } : {};
      await Promise.resolve(call.run(direct.client, options, given)).catch(() => undefined);
      const outcome: unknown = await Promise.resolve(call.run(pageClient(proxy), {}, given)).catch(
        (error: unknown) => error,
      );
      const isUnderAccount = direct.sent.every(({ url }) => url.includes('/accounts/7/'));
      if (isUnderAccount) {
        expect(refusals).toEqual([]);
        expect(behind.sent.map(seen)).toEqual(direct.sent.map(seen));
      } else {
        expect(behind.sent).toEqual([]);
        expect(refusals[0]?.reason).toBe('account');
        if (!call.name.startsWith('sending.batchAll')) expect(outcome).toBeInstanceOf(PermissionDeniedError);
      }
    },
  );

  test('a page that names it itself gets the same; one that names another is refused', async () => {
    const call = callOf('templates.get');
    const behind = clientOf(call, {});
    const { proxy, refusals } = proxyOf(behind.client, ofVisitor);
    await pageClient(proxy, { accountId: 7 }).templates.get(1);
    await pageClient(proxy).templates.get(1);
    expect(behind.sent.map(({ url }) => new URL(url).pathname)).toEqual(
      Array(2).fill('/api/accounts/7/email_templates/1'),
    );
    const other = pageClient(proxy, { accountId: 8 }).templates.get(1);
    await expect(other).rejects.toBeInstanceOf(PermissionDeniedError);
    expect(behind.sent).toHaveLength(2);
    expect(refusals).toMatchObject([{ reason: 'account', operation: 'templates.get', status: 403 }]);
  });
});

test('the domain of the email log has its other name under an account', async () => {
  const call = callOf('emailLogs.list');
  const behind = clientOf(call, {});
  const { proxy } = proxyOf(behind.client, { authorize: () => ({ visitor: 'ann', accountId: 7 }) });
  const filters = { domain_id: { operator: 'equal', value: [3, 4] } } as const;
  await pageClient(proxy).emailLogs.list({ filters });
  const direct = clientOf(call, {});
  await direct.client.emailLogs.list({ filters }, { accountId: 7 });
  const sorted = (sent: readonly SentRequest[]) =>
    sent.map(({ url }) => [...new URL(url).searchParams].map(String).sort());
  expect(sorted(behind.sent)).toEqual(sorted(direct.sent));
  expect(sorted(behind.sent)[0]).toHaveLength(6);
});
