import { describe, expect, test } from 'vitest';
import { accountOf, poolOf } from '../../src/core/path.ts';
import { POOL_NAMES, PUBLISHED_LIMITS } from '../../src/throttle/limits.ts';

test('the published limits', () => {
  expect(PUBLISHED_LIMITS).toEqual({
    token: { requests: 150, perMs: 10_000 },
    contacts: { requests: 200, perMs: 60_000 },
    stats: { requests: 10, perMs: 60_000 },
    suppressions: { requests: 10, perMs: 60_000 },
    emailLogsList: { requests: 60, perMs: 60_000 },
    emailLogsGet: { requests: 1000, perMs: 60_000 },
    templatesList: { requests: 150, perMs: 60_000 },
    templatesCreate: { requests: 150, perMs: 60_000 },
    subAccountsDelete: { requests: 10, perMs: 60_000 },
    // It has none: as many as nobody ever sends.
    sandbox: { requests: Number.MAX_SAFE_INTEGER, perMs: 10_000 },
  });
  expect(POOL_NAMES[0]).toBe('token');
});

describe.each(['/api', '/api/accounts/17'])('below %s', (base) => {
  test.each([
    ['contacts', 'contacts'],
    ['contacts/a%40b.example', 'contacts'],
    ['contacts/a%40b.example/events', 'contacts'],
    ['contacts/lists/4', 'contacts'],
    ['contacts/imports', 'contacts'],
    ['stats', 'stats'],
    ['suppressions', 'suppressions'],
    ['suppressions/1f0c', 'suppressions'],
    ['email_logs', 'emailLogsList'],
    ['email_logs/', 'emailLogsList'],
    ['email_logs/1f0c', 'emailLogsGet'],
  ])('%s counts as %s', (path, pool) => {
    expect(poolOf('GET', 'api', `${base}/${path}`)).toBe(pool);
  });

  test('only listing and creating templates at the newer paths counts, each by itself', () => {
    const templates = `${base}/templates`;
    expect(poolOf('GET', 'api', templates)).toBe('templatesList');
    expect(poolOf('POST', 'api', templates)).toBe('templatesCreate');
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE'] as const)
      expect(poolOf(method, 'api', `${templates}/7`)).toBeUndefined();
    for (const method of ['GET', 'POST'] as const)
      expect(poolOf(method, 'api', `${base}/email_templates`)).toBeUndefined();
  });

  test.each([
    'email_campaigns',
    'email_campaigns/4/stats',
    'email_campaigns/stats',
    'email_templates',
    'domains/3',
    'contacts_of_mine',
    'statsx',
    'inbound/folders/1/stats',
  ])('%s counts for the token only', (path) => {
    expect(poolOf('GET', 'api', `${base}/${path}`)).toBeUndefined();
  });
});

test.each([
  '/api/accounts',
  '/api/accounts/17',
  '/api/accounts/17/',
  '/',
  '',
  '/contacts',
  '/v2/api/contacts',
])('%j counts for the token only', (path) => {
  expect(poolOf('GET', 'api', path)).toBeUndefined();
});

test('only the deletion of an account counts for its organization', () => {
  const path = '/api/organizations/901/sub_accounts';
  expect(poolOf('DELETE', 'api', `${path}/7`)).toBe('subAccountsDelete');
  for (const method of ['GET', 'POST'] as const) expect(poolOf(method, 'api', path)).toBeUndefined();
});

test('the sending hosts have no account pools; the sandbox has its own', () => {
  for (const host of ['send', 'bulk'] as const) expect(poolOf('GET', host, '/api/contacts')).toBeUndefined();
  expect(poolOf('POST', 'sandbox', '/api/send/7')).toBe('sandbox');
  expect(poolOf('POST', 'sandbox', '/api/batch/7')).toBe('sandbox');
});

test('an account in the path is the one that is counted', () => {
  expect(accountOf('/api/accounts/17/contacts')).toBe(17);
  expect(accountOf('/api/accounts/x/contacts')).toBeUndefined();
  expect(accountOf('/api/contacts')).toBeUndefined();
  expect(accountOf('/api/contacts/accounts/17/x')).toBeUndefined();
});
