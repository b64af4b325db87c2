// The types behind every method: what a path template asks for, and what a reader returns. Not part of the package.
import type { ApiPromise } from '../../src/core/api-promise.ts';
import type { Page, Pager } from '../../src/core/pager.ts';
import type { PathParams } from '../../src/core/path.ts';
import type { RequestOptions } from '../../src/core/request.ts';
import { deleted, listReader, objectReader } from '../../src/resources/readers.ts';
import { Resource } from '../../src/resources/resource.ts';
import type { Same } from './same.ts';

interface Thing {
  readonly name: string;
}
interface ThingPage extends Page<Thing> {
  readonly data: Thing[];
}

const thing = objectReader<Thing>('template');
const things = listReader<Thing, ThingPage>('webhookPage', 'data');

export const params: [
  Same<PathParams<'GET {account}/things/{id}'>, Readonly<Record<'id', number>>>,
  Same<PathParams<'GET {account}/things'>, Readonly<Record<string, never>>>,
  Same<PathParams<'GET {account}/{things|objects}/{id}'>, PathParams<'GET {account}/things/{id}'>>,
  Same<PathParams<'GET /api/a/{messageId:uuid}'>['messageId'], string>,
  Same<keyof PathParams<'GET /api/a/{id}/b/{messageId:uuid}/{name:text}'>, 'id' | 'messageId' | 'name'>,
] = [true, true, true, true, true];

const THING = '{account}/{things|objects}/{id}';

export class Things extends Resource {
  right(id: number, contact: string, options: RequestOptions | undefined, isInner: boolean) {
    const results = {
      one: this.call('things.get', 'GET {account}/things/{id}', { id }, thing, options),
      none: this.call('things.delete', `DELETE ${THING}`, { id }, deleted, options),
      list: this.pages('things.list', 'GET /api/things', {}, things, options, {
        params: { search: 'a' },
      }),
      inner: this.call(
        'things.get',
        `GET ${isInner ? '/api/inner' : '{account}/outer'}/{id}`,
        { id },
        thing,
        options,
      ),
    };
    const checks: [
      Same<typeof results.one, ApiPromise<Thing>>,
      Same<typeof results.none, ApiPromise<void>>,
      Same<typeof results.list, Pager<Thing, ThingPage>>,
      Same<typeof results.inner, ApiPromise<Thing>>,
    ] = [true, true, true, true];
    return [
      checks,
      this.call('a', 'GET /api/a/{id}/b/{contact:text}', { id, contact }, thing, options),
      this.call('a', 'POST {account}/a', {}, thing, options, { repeatable: true, params: 1 }),
      this.call('a', 'POST {account}/a', {}, thing, options, {
        params: 1,
        as: (one, { accountId }) => accountId ?? one,
      }),
    ];
  }

  wrong(id: number, text: string, options: RequestOptions | undefined) {
    const params = [
      // @ts-expect-error the path needs an id
      this.call('a', 'GET {account}/things/{id}', {}, thing, options),
      // @ts-expect-error the id is misspelt
      this.call('a', 'GET {account}/things/{id}', { ids: id }, thing, options),
      // @ts-expect-error one of two is missing
      this.call('a', 'GET /api/a/{inboxId}/b/{id}', { id }, thing, options),
      // @ts-expect-error there is one too many
      this.call('a', 'GET {account}/things/{id}', { id, inboxId: id }, thing, options),
      // @ts-expect-error the path has no argument
      this.call('a', 'GET {account}/things', { id }, thing, options),
      // @ts-expect-error an id is a number
      this.call('a', 'GET {account}/things/{id}', { id: '7' }, thing, options),
      // @ts-expect-error a UUID is a string
      this.call('a', 'GET {account}/things/{id:uuid}', { id }, thing, options),
      // @ts-expect-error an id is not optional
      this.call('a', 'GET {account}/things/{id}', { id: undefined }, thing, options),
      // @ts-expect-error the account is an option, not an argument
      this.call('a', 'GET {account}/things/{id}', { id, account: 1 }, thing, options),
      // @ts-expect-error a segment with two names is not an argument
      this.call('a', 'GET {account}/{things|objects}', { things: 'things' }, thing, options),
      // @ts-expect-error both paths need their arguments, so that these have to be the same
      this.call('a', `GET ${text ? '/api/a/{id}' : '{account}/a/{otherId}'}`, { id }, thing, options),
      // @ts-expect-error one path has an argument and the other has none
      this.call('a', `GET ${text ? '/api/a/{id}' : '{account}/a'}`, { id }, thing, options),
      // @ts-expect-error a list needs its arguments too
      this.pages('a', 'GET {account}/things/{id}/parts', {}, things, options),
    ];
    const endpoints = [
      // @ts-expect-error the same name twice
      this.call('a', 'GET /api/a/{id}/b/{id}', { id }, thing, options),
      // @ts-expect-error the same name twice, in two kinds
      this.call('a', 'GET /api/a/{id}/b/{id:uuid}', { id }, thing, options),
      // @ts-expect-error no such kind
      this.call('a', 'GET /api/a/{id:uid}', { id: text }, thing, options),
      // @ts-expect-error a brace is missing
      this.call('a', 'GET /api/a/{id', {}, thing, options),
      // @ts-expect-error {account} only begins a path
      this.call('a', 'GET /api/a/{account}', { account: 1 }, thing, options),
      // @ts-expect-error no such method
      this.call('a', 'FETCH {account}/things', {}, thing, options),
      // @ts-expect-error the method is missing
      this.call('a', '{account}/things', {}, thing, options),
      // @ts-expect-error a path begins with {account} or /api
      this.call('a', 'GET /things', {}, thing, options),
      // @ts-expect-error text in a path that is not an argument would not be encoded
      this.call('a', `GET /api/things/${text}`, {}, thing, options),
    ];
    const results = [
      // @ts-expect-error the result is a thing
      this.call('a', 'GET {account}/things', {}, thing, options) satisfies ApiPromise<string>,
      // @ts-expect-error the items are things
      this.pages('a', 'GET {account}/things', {}, things, options) satisfies Pager<number>,
      // @ts-expect-error a page is read by a page's reader
      this.pages('a', 'GET {account}/things', {}, thing, options),
    ];
    const sent = [
      // @ts-expect-error the field is called repeatable
      this.call('a', 'POST {account}/things', {}, thing, options, { isRepeatable: true }),
      // @ts-expect-error a timeout is an option of the call
      this.call('a', 'GET {account}/things', {}, thing, options, { timeoutMs: 1 }),
    ];
    return [params, endpoints, results, sent];
  }
}
