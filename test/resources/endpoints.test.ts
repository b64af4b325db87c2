import { EmailPlatform } from 'email-platform';
import { format } from 'prettier';
import { describe, expect, test } from 'vitest';
import { SIGNED, surface } from '../spec/surface.ts';
import { addressOf, recordedEndpoints, type RecordedEndpoint } from '../support/recorded-endpoints.ts';
import { resourceMethods } from '../support/resource-methods.ts';

const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
const endpoints = await recordedEndpoints(client);

/** The methods that have no endpoint of their own. */
const WITHOUT_ENDPOINT = {
  'campaigns.waitUntilFinished': 'calls campaigns.get until the campaign has ended',
  'contacts.exports.download': 'calls contacts.exports.get until there is a file, and then its signed URL',
  'contacts.exports.waitUntilFinished': 'calls contacts.exports.get until there is a file',
  'contacts.imports.run': 'calls contacts.imports.create and contacts.imports.get, as often as it takes',
  'contacts.imports.waitUntilFinished': 'calls contacts.imports.get until the import has ended',
  'sandbox.messages.waitFor': 'calls sandbox.messages.list until a message fits',
  'sending.batchAll': 'calls the endpoint of sending.batch, as often as it takes',
  'sendingDomains.isVerified': 'sends nothing',
  'sendingDomains.waitUntilVerified': 'calls sendingDomains.get until the domain is verified',
};

/** Why sending these POST and PATCH requests twice does no more than sending them once. */
const REPEATABLE = {
  'campaigns.update': 'sets fields to the values given; the second time they have them already',
  'campaigns.start': 'the second is refused, because the campaign is no draft any more',
  'campaigns.schedule': 'the second is refused, because the campaign is no draft any more',
  'campaigns.cancel': 'the second is refused, because the campaign is not scheduled any more',
  'campaigns.reset': 'the second is refused, because the campaign is not scheduled any more',
  'campaigns.terminate': 'the second is refused, because the campaign is not being sent any more',
  'templates.update': 'sets fields to the values given; the second time they have them already',
  'contacts.update': 'sets fields to the values given; one that changes the address is not repeated',
  'contacts.lists.update': 'sets the name to the value given; the second time it is that already',
  'contacts.fields.update': 'sets fields to the values given; the second time they have them already',
  'sandbox.inboxes.markAllRead':
    'sets one field of what is there; when exactly the service does so is open anyway',
  'sandbox.inboxes.update': 'sets fields to the values given; the second time they have them already',
  'sandbox.messages.markRead': 'sets the mark to the value given; the second time it is that already',
  'sandbox.projects.update': 'sets the name to the value given; the second time it is that already',
  'sendingDomains.companyInfo.update':
    'sets fields to the values given; the second time they have them already',
  'webhooks.update': 'sets fields to the values given; the second time they have them already',
  'inbound.folders.update': 'sets the name to the value given; the second time it is that already',
  'inbound.inboxes.update': 'sets the name to the value given; the second time it is that already',
  'inbound.forwardRules.update': 'sets fields to the values given; the second time they have them already',
  'sendingDomains.update': 'sets fields to the values given; the second time they have them already',
};

const isPostOrPatch = ({ verb }: RecordedEndpoint) => verb === 'POST' || verb === 'PATCH';
const code = (text: string) => `\`${text}\``;

const SOURCES = { specified: 'specified', 'in part': 'specified in part', referenced: 'referenced' } as const;

/** How an endpoint is known. What the table does not have is in the specification alone. */
function sourceOf(endpoint: RecordedEndpoint): string {
  if (SIGNED.test(endpoint.path)) return '';
  const row = surface.find((each) => addressOf(each) === addressOf(endpoint));
  if (row === undefined) return SOURCES.specified;
  return row.recorded.length > 0 ? `${SOURCES[row.source]}, recorded` : SOURCES[row.source];
}

function page(rows: readonly RecordedEndpoint[]): Promise<string> {
  const cells = rows.map((row) => {
    const { method, verb, host, path, accountPath, pool, isRepeatable } = row;
    return [
      code(method),
      code(`${verb} ${path}`),
      accountPath === path ? '' : code(accountPath),
      host ?? "the URL's own",
      pool === undefined ? '' : code(pool),
      isRepeatable ? 'yes' : 'no',
      sourceOf(row),
    ];
  });
  const header = ['Method', 'Endpoint', 'Path under an account', 'Host', 'Pool', 'Repeatable', 'Source'];
  const lines = [header, header.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`);
  const text = `# Endpoints

<!-- Written by test/resources/endpoints.test.ts from the methods themselves: npm run test:unit -- test/resources/endpoints.test.ts -u -->

Which endpoint each method calls. When an account is set, by the client's \`accountId\` or by the call's own, the path is
the one under an account, if there is one. The email logs' path is only when the call itself names the account.

Every request to the host \`api\` counts against the rate limit pool \`token\`, and some against another pool as well.
Sending a repeatable request twice does no more than sending it once: only these are sent again after a failure that may
have reached the service. See [Rate limits and retries](rate-limits-and-retries.md).

The last column says how an endpoint is known. _Specified_: it is in the service's specification. _Specified in part_: it
is, but some of its path, its fields or its response is not; the rest is from the service's public API reference.
_Referenced_: it is in the reference alone. _Recorded_: responses of the service to it have been recorded, and the
emulator's have the same fields.

${lines.join('\n')}
`;
  return format(text, { parser: 'markdown', printWidth: 110, proseWrap: 'preserve' });
}

describe('The endpoints of all methods', () => {
  test('are those in docs/endpoints.md', async () => {
    await expect(await page(endpoints)).toMatchFileSnapshot('../../docs/endpoints.md');
  });

  test('include one for every method, except for those without an endpoint of their own', () => {
    const withEndpoint = new Set(endpoints.map(({ method }) => method));
    const without = resourceMethods(client).filter(({ name }) => !withEndpoint.has(name));
    expect(without.map(({ name }) => name).sort()).toEqual(Object.keys(WITHOUT_ENDPOINT));
  });

  test('are named in errors and hooks as callers write the method', () => {
    for (const { method, operation } of endpoints) expect(operation).toBe(method);
  });

  test('count against the same pool under an account', () => {
    expect(endpoints.filter(({ pool, accountPool }) => pool !== accountPool)).toEqual([]);
  });

  test('are each called by one method only, except for the list in which accounts.get looks an account up', () => {
    const addresses = endpoints
      .filter(({ method, path }) => !(method === 'accounts.get' && path === '/api/accounts'))
      .map(({ verb, host, path }) => `${verb} ${String(host)} ${path}`);
    expect(addresses).toHaveLength(endpoints.length - 1);
    expect(addresses).toEqual([...new Set(addresses)]);
  });
});

describe('A request is repeatable', () => {
  test('if it is a GET, PUT or DELETE', () => {
    const others = endpoints.filter((endpoint) => !isPostOrPatch(endpoint) && !endpoint.isRepeatable);
    expect(others).toEqual([]);
  });

  test('if it is a POST or PATCH only for a stated reason', () => {
    const repeatable = endpoints.filter((endpoint) => isPostOrPatch(endpoint) && endpoint.isRepeatable);
    expect(repeatable.map(({ operation }) => operation).sort()).toEqual(Object.keys(REPEATABLE).sort());
  });
});
