import { EmailPlatform } from 'email-platform';
import type { ProxyOptions } from 'email-platform/proxy';
import { describe, expect, test } from 'vitest';
import { allRoutes } from '../../../src/entries/proxy/routes.ts';
import { json, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { fromPage, proxyOf } from './harness.ts';

const VALUE = 'v4lue-of-a-token';
const ACCESSES = '/api/api/account_accesses';
const TOKENS = '/api/api/api_tokens';

function sentTo(path: string, method: string, turn: Turn, options: Partial<ProxyOptions>) {
  const { fetch, sent } = scriptedFetch(turn);
  const client = new EmailPlatform({
    token: 'token-of-the-server',
    hosts: { api: 'https://service.test' },
    fetch,
    throttle: false,
    retry: false,
  });
  const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
  const answer = proxyOf(client, options).proxy(fromPage(path, { method, ...body }));
  return { answer, sent };
}

describe('the values of tokens in a list of accesses', () => {
  const list = [{ id: 1, specifier_type: 'ApiToken', specifier: { id: 2, token: VALUE, name: 'Ann' } }];
  const cut = [{ id: 1, specifier_type: 'ApiToken', specifier: { id: 2, token: '[redacted]', name: 'Ann' } }];

  test.each<[string, Turn]>([
    ['as JSON', json(200, list)],
    ['as JSON that is said to be a text', text(200, JSON.stringify(list))],
    [
      'under a name that is escaped',
      text(200, JSON.stringify(list).replace('"token"', '"tok\\u0065n"'), 'application/json'),
    ],
  ])('are cut out: %s', async (_, turn) => {
    for (const options of [{}, { signedUrls: true }, { allow: ['accounts.accesses.list'] as const }]) {
      const { answer } = sentTo(ACCESSES, 'GET', turn, options);
      expect(await (await answer).json()).toEqual(cut);
    }
  });

  test.each<[string, unknown, unknown]>([
    ['short', 'abc', '[redacted]'],
    ['in an object', { value: VALUE }, '[redacted]'],
    ['in a list', [VALUE], '[redacted]'],
    ['absent', null, null],
  ])('are cut out whatever they look like: %s', async (_, token, expected) => {
    const { answer } = sentTo(ACCESSES, 'GET', json(200, [{ specifier: { token } }]), {});
    expect(await (await answer).json()).toEqual([{ specifier: { token: expected } }]);
  });

  test('are cut out of a refusal', async () => {
    const { answer } = sentTo(
      ACCESSES,
      'GET',
      json(422, { errors: ['no'], specifier: { token: VALUE } }),
      {},
    );
    expect(await (await answer).json()).toEqual({ errors: ['no'], specifier: { token: '[redacted]' } });
  });
});

describe('an operation that makes a new secret', () => {
  const made = json(200, { id: 5, name: 'Ann', token: VALUE });

  test('is one that declares a secret and is not a read', () => {
    const found = allRoutes().filter(({ issuesSecret }) => issuesSecret);
    expect(new Set(found.map(({ operation }) => operation))).toEqual(
      new Set(['apiTokens.create', 'apiTokens.reset', 'webhooks.create']),
    );
  });

  test('is not sent where only its resource is allowed', async () => {
    const { answer, sent } = sentTo(TOKENS, 'POST', made, { allow: ['apiTokens.*'] });
    expect((await answer).status).toBe(403);
    expect(sent).toEqual([]);
  });

  test('has the secret in its result, where it is allowed by its full name', async () => {
    const { answer } = sentTo(TOKENS, 'POST', made, { allow: ['apiTokens.create'] });
    expect(await (await answer).json()).toEqual({ id: 5, name: 'Ann', token: VALUE });
  });

  test('has it not in a refusal', async () => {
    const { answer } = sentTo(TOKENS, 'POST', json(422, { errors: ['no'], token: VALUE }), {
      allow: ['apiTokens.create'],
    });
    expect(await (await answer).json()).toEqual({ errors: ['no'], token: '[redacted]' });
  });
});
