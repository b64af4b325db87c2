import type { ApiPromise, EmailPlatform, Pager } from 'email-platform';
import type { Same } from './same.ts';

export async function pages(
  log: Pager<EmailPlatform.EmailLogMessage, EmailPlatform.EmailLogPage>,
): Promise<unknown[]> {
  const page = await log;
  const next = await page.nextPage();
  const again = await next?.nextPage();
  const { data, response } = await log.withResponse();
  const checks: [
    Same<typeof page, EmailPlatform.EmailLogPage>,
    Same<typeof next, EmailPlatform.EmailLogPage | undefined>,
    Same<typeof again, EmailPlatform.EmailLogPage | undefined>,
    Same<typeof page.items, readonly EmailPlatform.EmailLogMessage[]>,
    Same<typeof page.hasNextPage, boolean>,
    Same<typeof data, EmailPlatform.EmailLogPage>,
    Same<typeof response, EmailPlatform.ResponseInfo>,
    Same<ReturnType<typeof log.toArray>, Promise<EmailPlatform.EmailLogMessage[]>>,
    Same<ReturnType<typeof log.pages>, AsyncGenerator<EmailPlatform.EmailLogPage, void, undefined>>,
  ] = [true, true, true, true, true, true, true, true, true];
  for await (const message of log)
    checks.push(true satisfies Same<typeof message, EmailPlatform.EmailLogMessage>);
  for await (const one of log.pages())
    checks.push(true satisfies Same<typeof one, EmailPlatform.EmailLogPage>);
  const both = await Promise.all([log, log.catch(() => undefined), log.finally(() => undefined)]);
  const asPromise: PromiseLike<EmailPlatform.EmailLogPage> = log;
  const asIterable: AsyncIterable<EmailPlatform.EmailLogMessage> = log;
  return [...checks, both satisfies (EmailPlatform.EmailLogPage | undefined)[], asPromise, asIterable];
}

/** A function that takes any pager takes each of these. */
async function first<Item, P extends EmailPlatform.Page<Item>>(
  pager: Pager<Item, P>,
): Promise<Item | undefined> {
  const [item] = await pager.toArray({ limit: 1 });
  return item;
}

export const anyList = async (client: EmailPlatform): Promise<unknown[]> => [
  await first(client.campaigns.list()),
  await first(client.emailLogs.list()),
  await first(client.templates.list()),
  await first(client.sendingDomains.list()),
  await first(client.accounts.list()),
];

export async function wrongPages(
  client: EmailPlatform,
  page: EmailPlatform.CampaignPage,
  again: EmailPlatform.CampaignPage,
): Promise<unknown[]> {
  const pager = client.campaigns.list();
  // @ts-expect-error a pager is not an array
  pager.slice(1);
  // @ts-expect-error a page is not an array
  page.slice(1);
  // @ts-expect-error there may be no next page
  const next: EmailPlatform.CampaignPage = await page.nextPage();
  // @ts-expect-error the limit goes in an object
  await pager.toArray(5);
  // @ts-expect-error no such option
  await pager.toArray({ max: 5 });
  // @ts-expect-error a page of campaigns has no cursor
  const cursor: unknown = page.next_page_cursor;
  // @ts-expect-error the service's fields are read-only
  page.pagination = again.pagination;
  // @ts-expect-error so is hasNextPage
  page.hasNextPage = true;
  return [next, cursor];
}

export async function withResponse({ campaigns }: EmailPlatform): Promise<unknown[]> {
  const call = campaigns.get(1);
  const both = call.withResponse();
  const { data, response } = await both;
  const chained = call.then(({ id }) => id);
  const checks: [
    Same<typeof call, ApiPromise<EmailPlatform.Campaign>>,
    Same<typeof both, Promise<EmailPlatform.WithResponse<EmailPlatform.Campaign>>>,
    Same<typeof data, EmailPlatform.Campaign>,
    Same<typeof response.headers, Headers>,
    Same<typeof response.requestId, string | undefined>,
    Same<typeof response.rateLimit, EmailPlatform.RateLimitInfo>,
    Same<typeof chained, Promise<number>>,
  ] = [true, true, true, true, true, true, true];
  const none: EmailPlatform.WithResponse<void> = await campaigns.delete(1).withResponse();
  // @ts-expect-error only the promise a method returns has withResponse()
  await chained.withResponse();
  // @ts-expect-error a response's status is read-only
  response.status = 204;
  // @ts-expect-error the body has already been read
  await response.json();
  return [...checks, none, ({} as EmailPlatform.Page<EmailPlatform.Campaign>).items];
}
