import { EmailPlatform } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { endpoints as declarations } from '../../src/resources/endpoints.ts';
import {
  addressOf,
  declaredEndpoints,
  FROM_ADDRESSES,
  unnamed,
  type EndpointRow,
} from '../support/declared-endpoints.ts';
import { recordedEndpoints, type RecordedEndpoint } from '../support/recorded-endpoints.ts';
import { resourceMethods } from '../support/resource-methods.ts';

const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
const endpoints = declaredEndpoints();

/** The methods that have no endpoint of their own. */
const WITHOUT_ENDPOINT = {
  'campaigns.waitUntilFinished': 'calls campaigns.get until the campaign has ended',
  'contacts.exports.download': 'calls contacts.exports.get until there is a file, and then its signed URL',
  'contacts.exports.waitUntilFinished': 'calls contacts.exports.get until there is a file',
  'contacts.fields.ensure': 'calls contacts.fields.list, and contacts.fields.create if there is none',
  'contacts.imports.run': 'calls contacts.imports.create and contacts.imports.get, as often as it takes',
  'contacts.imports.waitUntilFinished': 'calls contacts.imports.get until the import has ended',
  'contacts.lists.ensure':
    'calls contacts.lists.list, contacts.lists.create if there is none, and contacts.lists.delete if it was not the first',
  'sandbox.messages.waitFor': 'calls sandbox.messages.list until a message fits',
  'sending.batchAll': 'calls the endpoint of sending.batch, as often as it takes',
  'sending.settleUnknown': 'calls emailLogs.list',
  'sendingDomains.isVerified': 'sends nothing',
  'sendingDomains.waitUntilVerified': 'calls sendingDomains.get until the domain is verified',
};

const isPostOrPatch = ({ verb }: EndpointRow) => verb === 'POST' || verb === 'PATCH';

const methods = resourceMethods(client).map(({ name }) => name);

describe('The endpoints of all methods', () => {
  test('are declared for every method, except for those without an endpoint of their own', () => {
    const declared = new Set([...endpoints.map(({ method }) => method), ...FROM_ADDRESSES.keys()]);
    expect(methods.filter((name) => !declared.has(name)).sort()).toEqual(Object.keys(WITHOUT_ENDPOINT));
    expect([...declared].filter((name) => !methods.includes(name))).toEqual([]);
  });

  test('are what the methods call, under the name that callers write', async () => {
    const called = (await recordedEndpoints(client)).filter(({ path }) => path.startsWith('/'));
    const addresses = (
      rows: readonly Pick<
        RecordedEndpoint,
        'method' | 'verb' | 'host' | 'path' | 'accountPath' | 'isRepeatable'
      >[],
    ) =>
      rows.map(({ method, verb, host, path, accountPath, isRepeatable }) =>
        [method, verb, host, path, accountPath, isRepeatable].join(' '),
      );
    expect(addresses(called).sort()).toEqual(addresses(endpoints).sort());
    for (const { method, operation } of called) expect(operation).toBe(method);
  });

  test('count against the same pool under an account', () => {
    expect(endpoints.filter(({ pool, accountPool }) => pool !== accountPool)).toEqual([]);
  });

  test('are each called by one method only, except for the list in which accounts.get looks an account up', () => {
    const addresses = endpoints
      .filter(({ method, path }) => !(method === 'accounts.get' && path === '/api/accounts'))
      .map(({ verb, host, path }) => `${verb} ${host} ${path}`);
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
    const stated = declarations().filter(({ repeatable }) => repeatable !== undefined);
    expect(stated.filter(({ template }) => !/^(POST|PATCH) /.test(template))).toEqual([]);
    for (const { repeatable } of stated) expect(repeatable).toMatch(/\w+ .*\w+/);
  });

  test('never where it toggles, resets credentials or tokens, cleans an inbox, or sends', () => {
    const harmful = /toggle|reset_credentials|reset_email|clean$|api_tokens|\/send|batch|reply|forward$/;
    const repeated = endpoints.filter((row) => isPostOrPatch(row) && row.isRepeatable);
    expect(repeated.filter(({ path }) => harmful.test(path))).toEqual([]);
  });
});

describe('People receive email', () => {
  /** As the specification and the reference of the service have it. The sandbox only captures what is sent to it. */
  const REACHING = [
    'POST api /api/email_campaigns/{id}/schedule',
    'POST api /api/email_campaigns/{id}/start',
    'POST api /api/contacts/{contact}/events',
    'POST api /api/domains/{id}/send_setup_instructions',
    'POST api /api/inbound/inboxes/{inboxId}/forward_rules',
    'PATCH api /api/inbound/inboxes/{inboxId}/forward_rules/{id}',
    'POST api /api/inbound/inboxes/{inboxId}/messages/{id}/forward',
    'POST api /api/inbound/inboxes/{inboxId}/messages/{id}/reply',
    'POST api /api/inbound/inboxes/{inboxId}/messages/{id}/reply_all',
    'POST api /api/sandboxes/{inbox}/messages/{id}/forward',
    'POST bulk /api/batch',
    'POST bulk /api/send',
    'POST send /api/batch',
    'POST send /api/send',
  ];

  test('because of these requests, and of no others', () => {
    const reaching = endpoints.filter(({ reachesPeople }) => reachesPeople);
    expect(reaching.map(addressOf).sort()).toEqual(REACHING.map(unnamed).sort());
  });

  test('through the declared field of a request', () => {
    const said = declarations().flatMap(({ operation, reachesPeople }) =>
      reachesPeople ? [[operation, reachesPeople]] : [],
    );
    const mail = { kind: 'mail' };
    const mails = { kind: 'mails' };
    const address = { kind: 'address', field: 'email' };
    const destinations = { kind: 'addresses', field: 'destinations' };
    expect(Object.fromEntries(said)).toEqual({
      'campaigns.start': { kind: 'unknowable' },
      'campaigns.schedule': { kind: 'unknowable' },
      'contacts.createEvent': { kind: 'unknowable' },
      'sendingDomains.sendSetupInstructions': address,
      'sandbox.messages.forward': address,
      'sending.send': mail,
      'sending.batch': mails,
      'inbound.messages.forward': mail,
      'inbound.messages.reply': { ...mail, fillsIn: ['to'] },
      'inbound.messages.replyAll': { ...mail, fillsIn: ['to', 'cc'] },
      'inbound.forwardRules.create': destinations,
      'inbound.forwardRules.update': { ...destinations, standing: true },
    });
  });

  test('only where a request says so: every one but a GET and a DELETE says yes or no', () => {
    const silent = declarations().filter(
      ({ template, reachesPeople }) => reachesPeople === undefined && !/^(GET|DELETE) /.test(template),
    );
    expect(silent.map(({ operation }) => operation)).toEqual([]);
  });
});
