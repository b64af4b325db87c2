import { decodersOf, removed } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { webhookCreateRule, webhookUpdateRule } from './rules.ts';
import type { CreatedWebhook, Webhook, WebhookPage } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface WebhookResponses {
  createdWebhook: CreatedWebhook;
  webhook: Webhook;
  webhookPage: WebhookPage;
}

const { list, result } = decodersOf<WebhookResponses>();

const written = ['url'];

/** The endpoints of `client.webhooks`. */
export const webhooks = endpointsOf('webhooks', () => {
  const webhook = result('webhook', { field: 'data', written });
  /** The service shows the secret of a webhook once. */
  const created = result('createdWebhook', { field: 'data', written, secrets: ['signing_secret'] });

  return {
    list: endpoint('GET {account}/webhooks', list('webhookPage', { field: 'data', written })),
    create: endpoint('POST {account}/webhooks', created, {
      params: webhookCreateRule(),
      wrapper: 'webhook',
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/webhooks/{id}', webhook),
    update: endpoint('PATCH {account}/webhooks/{id}', webhook, {
      params: webhookUpdateRule(),
      wrapper: 'webhook',
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE {account}/webhooks/{id}', removed<Pick<Webhook, 'id'>>({ field: 'data' })),
  };
});
