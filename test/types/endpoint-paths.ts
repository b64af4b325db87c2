// The types behind every method: what a path template asks for, and what a reader returns. Not part of the package.
import type { ApiPromise } from '../../src/core/api-promise.ts';
import type { Pager } from '../../src/core/pager.ts';
import type { PathParams } from '../../src/core/path.ts';
import type { RequestOptions } from '../../src/core/request.ts';
import { decodersOf, nothing } from '../../src/resources/base/decoders.ts';
import { endpoint, endpointsOf } from '../../src/resources/base/endpoint.ts';
import type { Operation } from '../../src/resources/endpoints.ts';
import { Resource } from '../../src/resources/base/resource.ts';
import type { Template } from '../../src/resources/templates/types.ts';
import type { WebhookPage } from '../../src/resources/webhooks/types.ts';
import { objectOf, stringRule } from '../../src/core/rules.ts';
import type { Same } from './same.ts';

interface ThingParams {
  readonly name: string;
}

interface ThingResponses {
  thing: Template;
  thingPage: WebhookPage;
}
const { list, result } = decodersOf<ThingResponses>();

const thing = result('thing');
const things = list('thingPage', { field: 'data' });
const rule = objectOf<ThingParams>({ name: stringRule }, ['name']);
const writing = { reachesPeople: false } as const;

export const params: [
  Same<PathParams<'GET {account}/things/{id}'>, Readonly<Record<'id', number>>>,
  Same<PathParams<'GET {account}/things'>, Readonly<Record<string, never>>>,
  Same<PathParams<'GET {account}/{things|objects}/{id}'>, PathParams<'GET {account}/things/{id}'>>,
  Same<PathParams<'GET /api/a/{messageId:uuid}'>['messageId'], string>,
  Same<keyof PathParams<'GET /api/a/{id}/b/{messageId:uuid}/{name:text}'>, 'id' | 'messageId' | 'name'>,
] = [true, true, true, true, true];

const declared = endpointsOf('things', () => ({
  list: endpoint('GET {account}/things', things, { params: rule }),
  get: endpoint('GET {account}/things/{id}', thing),
  create: endpoint('POST {account}/things', thing, { ...writing, params: rule, wrapper: 'thing' }),
  delete: endpoint('DELETE {account}/{things|objects}/{id}', nothing),
  part: endpoint('GET /api/a/{id}/b/{messageId:uuid}/{name:text}', thing),
  send: {
    one: endpoint('POST /api/one', thing, writing),
    other: endpoint('POST /api/other/{id}', thing, writing),
  },
}));

export const named: [
  Same<ReturnType<typeof declared>['get']['operation'], 'things.get'>,
  Same<ReturnType<typeof declared>['send']['other']['operation'], 'things.send'>,
] = [true, true];

export const known: Operation[] = ['campaigns.update', 'contacts.lists.get', 'sending.send'];
// @ts-expect-error no such operation
export const unknownName: Operation = 'campaigns.nope';

export class Things extends Resource {
  right(id: number, messageId: string, options: RequestOptions | undefined) {
    const results = {
      one: this.call(declared().get, { id }, options),
      none: this.call(declared().delete, { id }, options),
      list: this.pages(declared().list, {}, options, { name: 'a' }),
      part: this.call(declared().part, { id, messageId, name: 'a' }, options),
    };
    const checks: [
      Same<typeof results.one, ApiPromise<Template>>,
      Same<typeof results.none, ApiPromise<void>>,
      Same<typeof results.list, Pager<WebhookPage['items'][number], WebhookPage>>,
    ] = [true, true, true];
    return [
      checks,
      this.call(declared().create, {}, options, { name: 'a' }),
      this.call(declared().send.other, { id }, options),
    ];
  }

  wrong(id: number, text: string, options: RequestOptions | undefined) {
    const ids = [
      // @ts-expect-error the path needs an id
      this.call(declared().get, {}, options),
      // @ts-expect-error the id is misspelt
      this.call(declared().get, { ids: id }, options),
      // @ts-expect-error one of three is missing
      this.call(declared().part, { id, name: text }, options),
      // @ts-expect-error there is one too many
      this.call(declared().get, { id, inboxId: id }, options),
      // @ts-expect-error the path has no argument
      this.call(declared().create, { id }, options, { name: 'a' }),
      // @ts-expect-error an id is a number
      this.call(declared().get, { id: '7' }, options),
      // @ts-expect-error a UUID is a string
      this.call(declared().part, { id, messageId: 7, name: text }, options),
      // @ts-expect-error an id is not optional
      this.call(declared().get, { id: undefined }, options),
      // @ts-expect-error the account is an option, not an argument
      this.call(declared().get, { id, account: 1 }, options),
      // @ts-expect-error a segment with two names is not an argument
      this.call(declared().delete, { id, things: 'things' }, options),
      // @ts-expect-error one of several endpoints has to be named
      this.call(declared().send, {}, options),
    ];
    const parameters = [
      // @ts-expect-error the parameters are missing
      this.call(declared().create, {}, options),
      // @ts-expect-error a misspelt field
      this.call(declared().create, {}, options, { nme: 'a' }),
      // @ts-expect-error a field of another type
      this.call(declared().create, {}, options, { name: 7 }),
      // @ts-expect-error it takes none
      this.call(declared().get, { id }, options, { name: 'a' }),
      // @ts-expect-error a timeout is an option of the call
      this.call(declared().get, { id }, { timeout: 1 }),
    ];
    const endpoints = [
      // @ts-expect-error the same name twice
      endpoint('GET /api/a/{id}/b/{id}', thing),
      // @ts-expect-error the same name twice, in two kinds
      endpoint('GET /api/a/{id}/b/{id:uuid}', thing),
      // @ts-expect-error no such kind
      endpoint('GET /api/a/{id:uid}', thing),
      // @ts-expect-error a brace is missing
      endpoint('GET /api/a/{id', thing),
      // @ts-expect-error {account} only begins a path
      endpoint('GET /api/a/{account}', thing),
      // @ts-expect-error no such method
      endpoint('FETCH {account}/things', thing),
      // @ts-expect-error the method is missing
      endpoint('{account}/things', thing),
      // @ts-expect-error a path begins with {account} or /api
      endpoint('GET /things', thing),
      // @ts-expect-error text in a path that is not an argument would not be encoded
      endpoint(`GET /api/things/${text}`, thing),
      // @ts-expect-error no such fact
      endpoint('GET /api/things', thing, { source: 'guessed' }),
      // @ts-expect-error the rule of its parameters is missing, without which they would not be sent
      endpoint('POST /api/things', thing, { ...writing, encode: ({ name }: ThingParams) => ({ name }) }),
      // @ts-expect-error the same of one that is not repeatable for some of them
      endpoint('POST /api/things', thing, { ...writing, unless: ({ name }: ThingParams) => name === '' }),
      // @ts-expect-error the same of a query
      endpoint('GET /api/things', thing, { encode: ({ name }: ThingParams) => ({ name }) }),
      // @ts-expect-error no such schema
      endpoint('GET /api/things', result('think')),
      // @ts-expect-error repeatable says why
      endpoint('POST /api/things', thing, { ...writing, repeatable: true }),
      // @ts-expect-error the field is called params
      endpoint('POST /api/things', thing, { ...writing, param: rule }),
      // @ts-expect-error whether people receive email because of it is missing
      endpoint('POST /api/things', thing),
      // @ts-expect-error the same of a PUT
      endpoint('PUT /api/things', thing, { params: rule }),
      // @ts-expect-error the same of a PATCH
      endpoint('PATCH /api/things', thing, { params: rule }),
      // @ts-expect-error nobody receives email because something is read
      endpoint('GET /api/things', thing, { reachesPeople: { kind: 'mail' } }),
      // @ts-expect-error whom it reaches is missing
      endpoint('POST /api/things', thing, { reachesPeople: true }),
      // @ts-expect-error where the address is is missing
      endpoint('POST /api/things', thing, { reachesPeople: { kind: 'address' } }),
    ];
    const results = [
      // @ts-expect-error the result is a template
      this.call(declared().get, { id }, options) satisfies ApiPromise<string>,
      // @ts-expect-error the items are webhooks
      this.pages(declared().list, {}, options) satisfies Pager<number>,
      // @ts-expect-error a page is made by the decoder of a list
      this.pages(declared().get, { id }, options),
    ];
    return [ids, parameters, endpoints, results];
  }
}
