import { type EmailPlatform, InvalidRequestError, NotFoundError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { json, scriptedFetch } from '../../support/scripted-fetch.ts';
import { virtualClient } from '../../support/virtual-client.ts';

const UUID = '123e4567-e89b-12d3-a456-426614174000';

describe('A list', () => {
  const prepared = () => {
    const page = { messages: [], total_count: 0, next_page_cursor: UUID };
    const { fetch, sent } = scriptedFetch(json(200, page), json(200, { ...page, next_page_cursor: null }));
    return { sent, logs: virtualClient({ fetch }).client.emailLogs };
  };

  test('has the parameters it was given, whatever the caller changes before a page is read', async () => {
    const { sent, logs } = prepared();
    const addresses = ['ann@example.org'];
    const params: EmailPlatform.EmailLogListParams = {
      filters: { to: { operator: 'ci_equal', value: addresses } },
    };
    const pager = logs.list(params);
    addresses[0] = 'bob@example.org';
    params.filters = { to: { operator: 'no such operator' as never, value: '' } };
    expect(await pager.toArray()).toEqual([]);
    const asked = sent.map(({ url }) =>
      [...new URL(url).searchParams].filter(([name]) => /value|after/.test(name)),
    );
    const value = ['filters[to][value][]', 'ann@example.org'];
    expect(asked).toEqual([[value], [value, ['search_after', UUID]]]);
  });

  test('is checked with the parameters it was created with', async () => {
    const { sent, logs } = prepared();
    const params = { filters: {}, search_after: 'none' };
    const pager = logs.list(params);
    params.search_after = UUID;
    const error = await rejection(pager, InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'search_after', message: 'must be a UUID' }]);
    expect(sent).toEqual([]);
  });
});

describe('The path in an error', () => {
  const { client } = virtualClient({ fetch: scriptedFetch(json(404, {})).fetch, accountId: 9 });

  test('is the one that was sent', async () => {
    const error = await rejection(client.templates.get(7), NotFoundError);
    expect(error.request?.path).toBe('/api/accounts/9/email_templates/7');
  });

  test('has the name of a refused id, never its value', async () => {
    const error = await rejection(client.templates.get('secret' as never), InvalidRequestError);
    expect(error.request?.path).toBe('/api/accounts/9/email_templates/{id}');
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});

test('Everything that is wrong is reported at once: options, the ids in the path, parameters', async () => {
  const { client } = virtualClient({});
  const call = client.templates.update(0, { name: 1 as never }, { timeoutMs: -1 });
  const { issues } = await rejection(call, InvalidRequestError);
  expect(issues.map(({ path }) => path)).toEqual(['options.timeoutMs', 'id', 'name']);
});
