import type { EmailPlatform, RequestOptions } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { MemoryStore } from '../journal/memory-store.ts';
import { examples } from '../schemas/examples.ts';
import { endpoints, type DeclaredEndpoint } from '../../src/resources/endpoints.ts';
import { surface } from '../spec/surface.ts';
import { callMethod, paramsOf, pathArgumentsOf } from '../support/endpoint-calls.ts';

/**
 * The part of the response that a call reads: the expected JSON; the JSON or nothing; the JSON, or the campaign's state from
 * a second request; any JSON; the bytes; the response to a mail; or only that there is no error.
 */
export type Reading = 'json' | 'json or 204' | 'json or state' | 'any' | 'bytes' | 'mail' | 'status';

/** The effect of a second request: it only reads, it changes nothing more, or it acts twice. */
export type Repeated = 'reads' | 'again the same' | 'does it twice';

/** The options that every method takes. */
export type CallOptions = Pick<RequestOptions, 'signal' | 'deadlineMs' | 'headers'>;

/** A valid call of a method. */
export interface Call {
  /** As callers write it, with what is special about it in brackets. */
  readonly name: string;
  readonly run: (client: EmailPlatform, options: CallOptions, given: Given) => PromiseLike<unknown>;
  /** The body of its successful response; undefined for none. */
  readonly answer: unknown;
  readonly reading: Reading;
  readonly repeated: Repeated;
  /** Without the token, outside the limits: the URL is signed. */
  readonly isSigned?: true;
}

/** The inputs of a call. */
export interface Given {
  /** For wherever a text can be, so that the body is as large as that. */
  readonly text: string;
  /** The address of the server. */
  readonly url: string;
}

const from = { email: 'hello@mail.example.com' };
const to = [{ email: 'ann@example.org' }];
const mail = ({ text }: Given) => ({ from, to, subject: 'Hi', text });

const sent = { answer: examples.sendResult, reading: 'mail', repeated: 'does it twice' } as const;
const batch = {
  answer: { success: true, responses: [{ success: true, message_ids: ['1'] }] },
  reading: 'mail',
  repeated: 'does it twice',
} as const;
const reads = { reading: 'json', repeated: 'reads' } as const;

/** The same client with somewhere to keep keys. */
const withJournal = (client: EmailPlatform, store = new MemoryStore()) =>
  client.withOptions({ journal: createJournal(store) });

/** A run over one mail ends as that mail does. */
async function onlyOutcome(run: ReturnType<EmailPlatform['sending']['batchAll']>): Promise<unknown> {
  for await (const outcome of run) {
    if (outcome.status === 'not_sent' || outcome.status === 'unknown') {
      if ((outcome.error.effect === 'none') !== (outcome.status === 'not_sent'))
        throw new Error(`A mail is ${outcome.status}, but the effect is ${outcome.error.effect}.`);
      throw outcome.error;
    }
    return outcome.status;
  }
  throw new Error('There was no outcome.');
}

/** Valid calls of what has no endpoint of its own, or several, or takes other arguments than its endpoint does. */
const OTHERS: readonly Call[] = [
  {
    name: 'campaigns.waitUntilFinished',
    run: ({ campaigns }, options) => campaigns.waitUntilFinished(1, options),
    answer: { data: { ...examples.campaign, current_state: 'finished' } },
    ...reads,
  },
  {
    name: 'emailLogs.downloadRaw',
    run: ({ emailLogs }, { signal, deadlineMs }, { url }) =>
      emailLogs.downloadRaw(`${url}/raw.eml`, { signal, deadlineMs }),
    answer: { not: 'read' },
    reading: 'bytes',
    repeated: 'reads',
    isSigned: true,
  },
  ...(['transactional', 'bulk', 'sandbox'] as const).map((stream): Call => ({
    name: `sending.send (${stream})`,
    run: ({ sending }, options, given) => sending.send(mail(given), { ...options, stream }),
    ...sent,
  })),
  {
    name: 'sending.batch',
    run: ({ sending }, options, given) => sending.batch({ requests: [mail(given)] }, options),
    ...batch,
  },
  {
    name: 'sending.batchAll',
    run: ({ sending }, options, given) => onlyOutcome(sending.batchAll([mail(given)], options)),
    ...batch,
  },
  {
    name: 'sending.send (with a key)',
    run: (client, options, given) =>
      withJournal(client).sending.send(mail(given), { ...options, idempotencyKey: 'key' }),
    ...sent,
  },
  {
    name: 'sending.batchAll (with a key)',
    run: (client, options, given) =>
      onlyOutcome(
        withJournal(client).sending.batchAll([mail(given)], { ...options, idempotencyKey: () => 'key' }),
      ),
    ...batch,
  },
  {
    name: 'sending.settleUnknown',
    run: async (client, options) => {
      // A clock that stands still, so that the same is asked for each time.
      const store = new MemoryStore(() => 0);
      const claim = {
        namespace: 'default',
        key: 'key',
        hash: '1:',
        stream: 'transactional',
        leaseMs: 0,
      } as const;
      await store.claim([{ ...claim, attempt: 'crashed' }]);
      return withJournal(client, store).sending.settleUnknown(options);
    },
    answer: { ...examples.emailLogPage, total_count: 1, next_page_cursor: null },
    ...reads,
  },
  {
    name: 'sending.send (attachment)',
    run: ({ sending }, options, given) => {
      const content = new Blob([given.text]).stream();
      return sending.send({ ...mail(given), attachments: [{ filename: 'a.txt', content }] }, options);
    },
    ...sent,
  },
  {
    name: 'sendingDomains.waitUntilVerified',
    run: ({ sendingDomains }, options) => sendingDomains.waitUntilVerified(1, options),
    answer: examples.sendingDomain,
    ...reads,
  },
  {
    name: 'contacts.imports.waitUntilFinished',
    run: ({ contacts }, options) => contacts.imports.waitUntilFinished(1, options),
    answer: examples.contactImport,
    ...reads,
  },
  {
    name: 'contacts.exports.waitUntilFinished',
    run: ({ contacts }, options) => contacts.exports.waitUntilFinished(1, options),
    answer: examples.contactExport,
    ...reads,
  },
  {
    name: 'accounts.permissions.updateAll',
    run: ({ accounts }, options) =>
      accounts.permissions.updateAll(
        7,
        [{ resource_type: 'domain', resource_id: 1, access_level: 10 }],
        options,
      ),
    answer: examples.permissionsUpdated,
    reading: 'json',
    repeated: 'again the same',
  },
  {
    name: 'organizations.subAccounts.list',
    run: ({ organizations }, options) => organizations.subAccounts(1).list(options),
    answer: examples.subAccountList,
    ...reads,
  },
  {
    name: 'organizations.subAccounts.create',
    run: ({ organizations }, options, { text }) =>
      organizations.subAccounts(1).create({ name: text }, options),
    answer: examples.subAccount,
    reading: 'json',
    repeated: 'does it twice',
  },
  {
    name: 'sandbox.messages.waitFor',
    run: ({ sandbox }, options) => sandbox.messages.waitFor({ inbox: 1, to: 'ANN@example.org' }, options),
    answer: examples.sandboxMessageList,
    ...reads,
  },
  {
    name: 'sandbox.attachments.download',
    // A test that has to tell such calls apart has a number in its URL; here a path is all that is given.
    run: ({ sandbox }, options, { url }) => {
      const run = new URL(url).searchParams.get('run') ?? '0';
      return sandbox.attachments.download(
        { download_path: `/api/testing_message_parts/run-${run}/download` },
        options,
      );
    },
    answer: { not: 'read' },
    reading: 'bytes',
    repeated: 'reads',
    isSigned: true,
  },
  {
    name: 'request (GET)',
    run: (client, options) => client.request({ method: 'GET', path: '/api/contacts/lists' }, options),
    answer: [{ id: 1 }],
    reading: 'any',
    repeated: 'reads',
  },
  {
    name: 'request (POST)',
    run: (client, options, { text }) =>
      client.request({ method: 'POST', path: '/api/contacts', body: { text } }, options),
    answer: { id: 1 },
    reading: 'any',
    repeated: 'does it twice',
  },
  {
    name: 'request (PUT)',
    run: (client, options, { text }) =>
      client.request({ method: 'PUT', path: '/api/contacts/1', body: { text } }, options),
    answer: { id: 1 },
    reading: 'any',
    repeated: 'again the same',
  },
];

/** The method of a call, as callers write it. */
export const methodOf = ({ name }: Call): string => name.replace(/ \(.*/, '');

const READINGS: Readonly<Record<DeclaredEndpoint['decoder']['kind'], Reading>> = {
  object: 'json',
  list: 'json',
  array: 'json',
  removed: 'json or 204',
  nothing: 'status',
  any: 'any',
  body: 'bytes',
  mail: 'mail',
};

/** The object of an endpoint's group of methods: the result of `get`, or of `create` if there is no `get`. */
function objectOf({ operation }: DeclaredEndpoint): object | undefined {
  const group = operation.slice(0, operation.lastIndexOf('.'));
  const about = ['get', 'create'].map((method) =>
    endpoints().find((endpoint) => endpoint.operation === `${group}.${method}`),
  );
  return about.map((endpoint) => exampleOf(endpoint?.decoder.schema)).find((object) => object !== undefined);
}

const exampleOf = (schema = ''): object | undefined => examples[schema as keyof typeof examples];

/** The body of a successful response, by how it is declared to be read. */
function answerOf(endpoint: DeclaredEndpoint, path: Record<string, unknown>): unknown {
  const { kind, field, schema } = endpoint.decoder;
  if (kind === 'nothing') return undefined;
  if (kind === 'body') return { not: 'read' };
  // A 404 to a second attempt has the same result: the object that the path names.
  const found =
    kind === 'removed' ? { ...(exampleOf(schema) ?? objectOf(endpoint)), id: path.id } : exampleOf(schema);
  return field === undefined || kind === 'list' ? found : { [field]: found };
}

/** A valid call of a method that has one endpoint, and takes what is in its path, its parameters and the options. */
function callOf(endpoint: DeclaredEndpoint): Call {
  const { operation, template, decoder } = endpoint;
  const path = pathArgumentsOf(endpoint);
  // From the surface, not from the declaration, which this test checks.
  const isRepeatable = surface.find(({ method }) => method === operation)?.isRepeatable ?? false;
  const repeated = isRepeatable ? 'again the same' : 'does it twice';
  return {
    name: operation,
    run: (client, options, given) =>
      callMethod(client, endpoint, Object.values(path), paramsOf(endpoint, given), options),
    answer: answerOf(endpoint, path),
    reading: operation === 'campaigns.schedule' ? 'json or state' : READINGS[decoder.kind],
    repeated: template.startsWith('GET ') ? 'reads' : repeated,
  };
}

/** The methods whose calls are written out, because they do not follow from an endpoint. */
export const WRITTEN: ReadonlySet<string> = new Set(OTHERS.map(methodOf));

/** The first endpoint of each method. */
const declared = new Map(
  endpoints()
    .map((endpoint) => [endpoint.operation, endpoint] as const)
    .reverse(),
);

/** A valid call of every method that sends something, and of `request`. */
export const CALLS: readonly Call[] = [
  ...[...declared.values()].filter(({ operation }) => !WRITTEN.has(operation)).map(callOf),
  ...OTHERS,
];
