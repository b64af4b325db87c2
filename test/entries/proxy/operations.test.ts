import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { allRoutes, isNamed } from '../../../src/entries/proxy/routes.ts';
import { endpoints } from '../../../src/resources/endpoints.ts';
import { fromPage, proxyOf } from './harness.ts';

test('every declared endpoint has a route, and only the one in which accounts are looked up has it under another name', () => {
  const routes = allRoutes();
  const without = endpoints().filter((endpoint) => !routes.some((route) => route.endpoint === endpoint));
  expect(without.map(({ operation, template }) => `${operation} ${template}`)).toEqual([
    'accounts.get GET /api/accounts',
  ]);
});

test('every argument is a whole segment of its path', () => {
  const segments = allRoutes().flatMap(({ template }) => template.split('/'));
  expect(segments.length).toBeGreaterThan(200);
  expect(segments.filter((segment) => !/^(\{[\w:|?]+\}|[\w.-]*)$/.test(segment))).toEqual([]);
});

test('the query of a route has the names of its parameters', () => {
  const queryOf = (operation: string) => allRoutes().find((route) => route.operation === operation)?.query;
  expect(queryOf('campaigns.list')).toEqual(['token', 'per_page', 'search']);
  expect(queryOf('emailLogs.list')).toEqual(['filters', 'search_after']);
  expect(queryOf('accounts.accesses.list')).toContain('sandbox_ids');
  expect(queryOf('stats.get')).toContain('sending_domain_ids');
  expect(queryOf('campaigns.create')).toEqual([]);
});

test.each([
  ['a name that the operation does not have', 'account_id=2'],
  ['one value twice', 'search=a&search=b'],
  ['more than the service reads', `search=${'a'.repeat(6_000)}`],
])('a query with %s is refused, and nothing is sent', async (_, query) => {
  const emulator = createEmulator();
  const { proxy, refusals } = proxyOf(new EmailPlatform(emulator.clientOptions()));
  const { status } = await proxy(fromPage(`/api/api/email_campaigns?${query}`));
  expect([status, refusals, emulator.requests]).toMatchObject([400, [{ reason: 'query' }], []]);
});

test('files have to be named in full', () => {
  const named = (pattern: string) =>
    allRoutes().flatMap((route) => (isNamed(pattern, route) ? [route.operation] : []));
  expect(named('sandbox.messages.*')).not.toContain('sandbox.messages.eml');
  expect(named('sandbox.messages.eml')).toEqual(['sandbox.messages.eml']);
});
