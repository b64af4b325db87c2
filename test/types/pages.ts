import type {
  ApiPromise,
  Campaign,
  CampaignPage,
  EmailLogMessage,
  EmailLogPage,
  EmailPlatform,
  Page,
  Pager,
  RateLimitInfo,
  ResponseInfo,
  WithResponse,
} from 'email-platform';
import type { Same } from './same.ts';

export async function pages(log: Pager<EmailLogMessage, EmailLogPage>): Promise<unknown[]> {
  const page = await log;
  const next = await page.nextPage();
  const again = await next?.nextPage();
  const { data, response } = await log.withResponse();
  const checks: [
    Same<typeof page, EmailLogPage>,
    Same<typeof next, EmailLogPage | undefined>,
    Same<typeof again, EmailLogPage | undefined>,
    Same<typeof page.items, readonly EmailLogMessage[]>,
    Same<typeof page.hasNextPage, boolean>,
    Same<typeof data, EmailLogPage>,
    Same<typeof response, ResponseInfo>,
    Same<ReturnType<typeof log.toArray>, Promise<EmailLogMessage[]>>,
    Same<ReturnType<typeof log.pages>, AsyncGenerator<EmailLogPage, void, undefined>>,
  ] = [true, true, true, true, true, true, true, true, true];
  for await (const message of log) checks.push(true satisfies Same<typeof message, EmailLogMessage>);
  for await (const one of log.pages()) checks.push(true satisfies Same<typeof one, EmailLogPage>);
  const both = await Promise.all([log, log.catch(() => undefined), log.finally(() => undefined)]);
  const asPromise: PromiseLike<EmailLogPage> = log;
  const asIterable: AsyncIterable<EmailLogMessage> = log;
  return [...checks, both satisfies (EmailLogPage | undefined)[], asPromise, asIterable];
}

/** A function that takes any pager takes each of these. */
async function first<Item, P extends Page<Item>>(pager: Pager<Item, P>): Promise<Item | undefined> {
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
  page: CampaignPage,
  again: CampaignPage,
): Promise<unknown[]> {
  const pager = client.campaigns.list();
  // @ts-expect-error a pager is not an array
  pager.slice(1);
  // @ts-expect-error a page is not an array
  page.slice(1);
  // @ts-expect-error there may be no next page
  const next: CampaignPage = await page.nextPage();
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
    Same<typeof call, ApiPromise<Campaign>>,
    Same<typeof both, Promise<WithResponse<Campaign>>>,
    Same<typeof data, Campaign>,
    Same<typeof response.headers, Headers>,
    Same<typeof response.requestId, string | undefined>,
    Same<typeof response.rateLimit, RateLimitInfo>,
    Same<typeof chained, Promise<number>>,
  ] = [true, true, true, true, true, true, true];
  const none: WithResponse<void> = await campaigns.delete(1).withResponse();
  // @ts-expect-error only the promise a method returns has withResponse()
  await chained.withResponse();
  // @ts-expect-error a response's status is read-only
  response.status = 204;
  // @ts-expect-error the body has already been read
  await response.json();
  return [...checks, none, ({} as Page<Campaign>).items];
}
