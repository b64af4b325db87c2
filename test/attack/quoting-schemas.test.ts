import { type EmailPlatform, EmailPlatformError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { endpoints, type DeclaredEndpoint } from '../../src/resources/endpoints.ts';
import { examples } from '../entries/schemas/examples.ts';
import { sandboxExamples } from '../entries/schemas/sandbox-examples.ts';
import { CALLS, pathArgumentsOf } from '../support/calls/calls.ts';
import { everythingOf } from '../support/everything-of.ts';
import { json, scriptedFetch } from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';
import { FORMS, shows } from './leak-forms.ts';

/** The fields that the service documents as a credential, a token, or an address that needs none. */
const FIELDS =
  /^(username|password|share_links|token|signing_secret|download_path|download_url|raw_message_url)$/;
/** Exceptions by schema: other secret fields, or none. A captured email's paths need the token. */
const OTHER_FIELDS: Readonly<Record<string, RegExp>> = {
  contactExport: /^url$/,
  sandboxMessage: /^(?!)$/,
  sandboxMessageList: /^(?!)$/,
};

/** Fields with addresses are those that end so; the part that lets in is the segment, or the value in the query. */
const planted = (name: string, count: number) =>
  /url|path/.test(name)
    ? `${name === 'download_path' ? '' : 'https://files.test'}/store/s3gm3nt-of-file-${count}/f?sig=s1gnatur3-v4lue-${count}&n=2`
    : `v4lue-of-${name}-${count}`;
const SECRET = /s3gm3nt-of-file-\d+|s1gnatur3-v4lue-\d+|v4lue-of-[a-z_]+-\d+/g;

/** The value with a secret in each of these fields, and in each text below them. */
function withSecrets(value: unknown, fields: RegExp): unknown {
  let count = 0;
  const plant = (part: unknown, name: string, isSecret: boolean): unknown => {
    if (Array.isArray(part)) return part.map((item) => plant(item, name, isSecret));
    if (typeof part !== 'object' || part === null)
      return isSecret && typeof part === 'string' ? planted(name, (count += 1)) : part;
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, plant(item, key, isSecret || fields.test(key))]),
    );
  };
  return plant(value, '', false);
}

/** A schema that finds every text and number wrong, and quotes it: as valibot does, or in another form. */
const quoting = (write = (text: string) => text): EmailPlatform.StandardSchema => {
  const issues: { path: PropertyKey[]; message: string }[] = [];
  const read = (value: unknown, path: PropertyKey[]) => {
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value))
        read(item, [...path, Array.isArray(value) ? Number(key) : key]);
    else issues.push({ path, message: `Invalid URL: Received "${write(String(value))}"` });
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => {
        read(value, []);
        return { issues };
      },
    },
  };
};

/** Deletions that return what was deleted. */
const REMOVED: Readonly<Record<string, string>> = {
  'sandbox.inboxes.delete': 'sandboxInbox',
  'sandbox.projects.delete': 'sandboxProject',
};

function bodyOf({ decoder, operation }: DeclaredEndpoint): unknown {
  const { kind, schema = REMOVED[operation] ?? '', field } = decoder;
  const example = (examples as Readonly<Record<string, unknown>>)[schema];
  const content = withSecrets(example, OTHER_FIELDS[schema] ?? FIELDS);
  return kind === 'object' && field !== undefined ? { [field]: content } : content;
}

const secretsOf = (endpoint: DeclaredEndpoint): readonly string[] =>
  JSON.stringify(bodyOf(endpoint) ?? null).match(SECRET) ?? [];

const found = endpoints().filter((endpoint) => secretsOf(endpoint).length > 0);

function setUp(endpoint: DeclaredEndpoint, options: object = {}) {
  const said: unknown[] = [];
  const keep = (...all: unknown[]) => void said.push(all);
  const logger: EmailPlatform.Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const hooks = { onMismatch: keep, onEnd: keep, onResponse: keep };
  const { fetch, sent } = scriptedFetch(json(200, bodyOf(endpoint)));
  const { client, time } = virtualClient({ fetch, logger, hooks, schemas: {}, accountId: 7, ...options });
  return { client, time, said, sent };
}

const callOf = ({ operation }: DeclaredEndpoint) => {
  const call = CALLS.find(({ name }) => name === operation);
  if (call === undefined) throw new Error(`${operation} has no row in test/support/calls/table.ts.`);
  return call;
};

const quoted = (said: unknown) => [...new Set(everythingOf(said).match(SECRET))];

test('the responses with secrets are those of tokens, inboxes, projects and files', () => {
  const groups = new Set(found.map(({ operation }) => operation.split('.').slice(0, -1).join('.')));
  expect([...groups].sort()).toEqual([
    'accounts.accesses',
    'apiTokens',
    'contacts.exports',
    'emailLogs',
    'inbound.messages',
    'inbound.threads',
    'sandbox.attachments',
    'sandbox.inboxes',
    'sandbox.projects',
    'webhooks',
  ]);
});

describe.each(found.map((endpoint) => [`${endpoint.operation} ${endpoint.template}`, endpoint] as const))(
  'A schema that quotes the response of %s quotes no secret of it',
  (_, endpoint) => {
    test.runIf(endpoint.decoder.schema !== undefined)('in an error, an event or a line', async () => {
      const { schema = '' } = endpoint.decoder;
      for (const validateResponses of ['report', 'throw'] as const) {
        const { client, time, said } = setUp(endpoint, {
          schemas: { [schema]: quoting() },
          validateResponses,
        });
        const { run } = callOf(endpoint);
        const call = run(client, {}, { text: 'a', url: 'https://files.test' });
        const end = await throughItsWaits(time, Promise.resolve(call)).catch((error: unknown) => error);
        await until(() => said.length > 2);
        const isError = end instanceof EmailPlatformError;
        expect(isError).toBe(validateResponses === 'throw');
        expect(quoted([said, isError ? end : undefined])).toEqual([]);
        expect(everythingOf(said)).toContain('[redacted]');
      }
    });

    test('passed to client.request', async () => {
      const { client, said, sent } = setUp(endpoint);
      const params = pathArgumentsOf(endpoint);
      const [method = '', template = ''] = endpoint.template.split(' ');
      const path = template
        .replace(/\{account\??\}/, '/api/accounts/7')
        .replace(/\{(\w+)\|\w+\}/, '$1')
        .replace(/\{(\w+)(:\w+)?\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
      const request = { method: method as 'GET', path, schema: quoting() };
      const error: unknown = await client.request(request).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(EmailPlatformError);
      expect(sent).toHaveLength(1);
      expect(quoted([said, error])).toEqual([]);
    });
  },
);

test.each(Object.entries(FORMS))('nor in the form: %s', async (_, write) => {
  const [endpoint] = found.filter(({ operation }) => operation === 'sandbox.projects.get');
  if (endpoint === undefined) throw new Error('There is no such endpoint.');
  const { client, said } = setUp(endpoint);
  const request = { method: 'GET', path: '/api/projects/1', schema: quoting(write) } as const;
  const error: unknown = await client.request(request).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(EmailPlatformError);
  const text = everythingOf([said, error]);
  expect(secretsOf(endpoint).filter((secret) => shows(text, secret))).toEqual([]);
});

test('short ones are cut out where they stand for themselves, and positions stay', async () => {
  const inbox = { ...sandboxExamples.sandboxInbox, username: 'ann7', password: 1234 };
  const { client } = virtualClient({ fetch: scriptedFetch(json(200, [inbox])).fetch });
  const request = { method: 'GET', path: '/api/inboxes', schema: quoting() } as const;
  const error: unknown = await client.request(request).catch((cause: unknown) => cause);
  const { issues } = error as { readonly issues: readonly { path: string; message: string }[] };
  expect(issues.find(({ path }) => path === '[0].username')?.message).toBe(
    'Invalid URL: Received "[redacted]"',
  );
  expect(issues.find(({ path }) => path === '[0].password')?.message).toBe(
    'Invalid URL: Received "[redacted]"',
  );
});

test('a response with too many secrets to search is cut out as a whole', async () => {
  const inboxes = Array.from({ length: 40 }, (_, at) => ({ password: `p4ss-${at}-`.padEnd(20_000, 'x') }));
  const { client } = virtualClient({ fetch: scriptedFetch(json(200, inboxes)).fetch });
  const request = { method: 'GET', path: '/api/inboxes', schema: quoting() } as const;
  const error: unknown = await client.request(request).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'response_format' });
  expect((error as { readonly issues: readonly unknown[] }).issues).toHaveLength(40);
  expect(everythingOf(error)).not.toContain('p4ss');
});
