import type { ApiPromise, EmailPlatform, Pager } from 'email-platform';
import { isKnownCampaignState } from 'email-platform';
import type { Same } from './same.ts';

const template_attributes = { subject: 'Hello' };
const required = { name: 'Spring', domain_id: 1, from_local_part: 'news', template_attributes };

export async function results(client: EmailPlatform): Promise<unknown[]> {
  const created = await client.campaigns.create(required);
  const stats = await client.campaigns.stats(1, { start_date: '2026-01-01' });
  const { data, response } = await client.campaigns.get(1).withResponse();
  const checks: [
    Same<ReturnType<typeof client.campaigns.delete>, ApiPromise<void>>,
    Same<typeof created, EmailPlatform.Campaign>,
    Same<typeof stats, EmailPlatform.CampaignStats>,
    Same<typeof data, EmailPlatform.Campaign>,
    Same<typeof response.status, number>,
    Same<typeof response.requestId, string | undefined>,
  ] = [true, true, true, true, true, true];
  const body: string | null = data.template.body_html;
  // @ts-expect-error a body may be null
  const text: string = data.template.body_text;
  // @ts-expect-error no such field
  const colour: unknown = data.colour;
  // @ts-expect-error the response is already unwrapped
  const inner: unknown = created.data;
  return [...checks, body, text, colour, inner];
}

export async function lists(client: EmailPlatform): Promise<unknown[]> {
  const pager = client.campaigns.list({ search: 'spring', per_page: 10 });
  const page = await pager;
  const all = await pager.toArray({ limit: 5 });
  const next = await page.nextPage();
  const checks: [
    Same<typeof pager, Pager<EmailPlatform.CampaignSummary, EmailPlatform.CampaignPage>>,
    Same<typeof page, EmailPlatform.CampaignPage>,
    Same<typeof all, EmailPlatform.CampaignSummary[]>,
    Same<typeof page.items, readonly EmailPlatform.CampaignSummary[]>,
    Same<typeof page.pagination.next_token, number | null>,
    Same<typeof next, EmailPlatform.CampaignPage | undefined>,
  ] = [true, true, true, true, true, true];
  const bodies: unknown[] = [];
  for await (const campaign of pager) {
    const item: Same<typeof campaign, EmailPlatform.CampaignSummary> = true;
    // @ts-expect-error a list has no bodies; get() returns them
    bodies.push(item, campaign.template.subject, campaign.template.body_html);
  }
  for await (const one of pager.pages()) {
    const each: Same<typeof one, EmailPlatform.CampaignPage> = true;
    bodies.push(each);
  }
  // @ts-expect-error a pager is not synchronously iterable
  for (const campaign of pager) bodies.push(campaign);
  // @ts-expect-error items is read-only
  page.items.push(all[0]);
  return [...bodies, ...checks];
}

export function states(state: EmailPlatform.CampaignState): EmailPlatform.KnownCampaignState | undefined {
  const draft: EmailPlatform.CampaignState = 'draft';
  const added: EmailPlatform.CampaignState = 'a state the service has added since';
  // @ts-expect-error not a known state
  const known: EmailPlatform.KnownCampaignState = added;
  if (isKnownCampaignState(state)) {
    const narrowed: Same<typeof state, EmailPlatform.KnownCampaignState> = true;
    return narrowed ? state : known;
  }
  return state === draft ? 'draft' : undefined;
}

export function wrongCalls(client: EmailPlatform): unknown[] {
  const { campaigns } = client;
  return [
    // @ts-expect-error an id is a number
    campaigns.get('1'),
    // @ts-expect-error an id is required
    campaigns.get(),
    // @ts-expect-error no such option of a call
    campaigns.get(1, { timeout: 5 }),
    // @ts-expect-error a name is required
    campaigns.create({ domain_id: 1, from_local_part: 'news', template_attributes }),
    // @ts-expect-error the template's subject is required
    campaigns.create({ ...required, template_attributes: { body_html: '<p></p>' } }),
    // @ts-expect-error wire names are in snake case
    campaigns.create({ ...required, domainId: 1 }),
    // @ts-expect-error not a delivery mode
    campaigns.create({ ...required, delivery_mode: 'slow' }),
    // @ts-expect-error no such field
    campaigns.update(1, { title: 'Spring' }),
    // @ts-expect-error an id is not a string
    campaigns.update(1, { contact_list_ids: ['1'] }),
    // @ts-expect-error datetime is required
    campaigns.schedule(1, {}),
    // @ts-expect-error a number is not a date
    campaigns.schedule(1, { datetime: Date.now() }),
    // @ts-expect-error the parameter is called per_page
    campaigns.list({ perPage: 10 }),
    // @ts-expect-error a page number is a number
    campaigns.list({ token: '2' }),
    // @ts-expect-error there is no pause action
    campaigns.pause,
    // @ts-expect-error a client's resources are read-only
    (client.campaigns = campaigns),
  ];
}
