import type { ApiPromise } from '../core/api-promise.ts';
import { ResponseFormatError } from '../core/errors.ts';
import type { PageBody, Pager } from '../core/pager.ts';
import { isRecord } from '../core/record.ts';
import type { RequestOptions } from '../core/request.ts';
import {
  campaignCreateRule,
  campaignListRule,
  campaignScheduleRule,
  campaignStatsRule,
  campaignUpdateRule,
} from '../models/campaigns-checks.ts';
import type {
  CampaignCreateParams,
  CampaignListParams,
  CampaignScheduleParams,
  CampaignStatsParams,
  CampaignUpdateParams,
  Campaign,
  CampaignPage,
  CampaignStats,
  CampaignSummary,
} from '../models/campaigns.ts';
import { isFinishedCampaignState } from '../models/campaigns.ts';
import type { WaitOptions } from '../models/wait-options.ts';
import { isDraft, isEnded, isScheduledAt, settledBy, wasStarted } from './campaign-actions.ts';
import { orElse } from './either.ts';
import { deleted, idOf, objectReader, type PageReader } from './readers.ts';
import type { Sent } from './resource.ts';
import { WaitingResource } from './waiting-resource.ts';

const campaign = objectReader<Campaign>('campaign', 'data');
const stats = objectReader<CampaignStats>('campaignStats', 'data');

const hasEnded = ({ current_state }: Campaign) => isFinishedCampaignState(current_state);
const stateOf = ({ current_state }: Campaign) => `its state is ${current_state}`;

/** Numbered pages, newest first: as campaigns are created, rows move to the next page and would be returned again. */
const campaigns: PageReader<CampaignSummary, CampaignPage> = {
  ...objectReader<PageBody<CampaignPage>>(
    'campaignPage',
    undefined,
    ({ data, pagination }) => Array.isArray(data) && isRecord(pagination),
  ),
  items: ({ data }) => data,
  // The token is passed on as it is: one we do not understand must not end the list silently.
  next: ({ pagination }) => {
    const token = pagination.next_token ?? undefined;
    return token === undefined ? undefined : { token };
  },
  identity: idOf,
};

/** Email campaigns: creating, editing, scheduling and sending them, and their statistics. */
export class Campaigns extends WaitingResource<Campaign> {
  /** @internal */
  protected override readonly group = 'campaigns';

  /**
   * Lists campaigns, newest first, without their templates' bodies; pages are fetched as they are read.
   * `GET /api/email_campaigns`
   *
   * No campaign is returned twice. If campaigns are created while you read the list, none is missed. If campaigns are
   * deleted, some that move to a page already read are missed: collect the ids before you delete.
   *
   * @example
   * ```ts
   * for await (const campaign of client.campaigns.list({ search: 'spring' })) {
   *   console.log(campaign.name, campaign.current_state);
   * }
   * ```
   * @throws {@link InvalidRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  list(params: CampaignListParams = {}, options?: RequestOptions): Pager<CampaignSummary, CampaignPage> {
    return this.pages('list', 'GET /api/email_campaigns', {}, campaigns, options, {
      params,
      rule: campaignListRule,
    });
  }

  /**
   * Creates a campaign, always as a draft. `POST /api/email_campaigns`
   *
   * Never retried when its outcome is unknown: there could then be two drafts.
   *
   * @throws {@link ValidationError} when the service rejects fields, {@link InvalidRequestError} before anything is
   * sent, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: CampaignCreateParams, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('create', 'POST /api/email_campaigns', {}, campaign, options, {
      params,
      rule: campaignCreateRule,
    });
  }

  /**
   * Returns one campaign with its template's bodies. `GET /api/email_campaigns/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  override get(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('get', 'GET /api/email_campaigns/{id}', { id }, campaign, options);
  }

  /**
   * Updates a draft; only the fields given change. `PATCH /api/email_campaigns/{id}`
   *
   * In `template_attributes`, a field left out or sent as null keeps its value. Lists of ids replace the whole list.
   *
   * @throws {@link ValidationError} for rejected fields, {@link LifecycleError} when it is not a draft,
   * {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: CampaignUpdateParams, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('update', 'PATCH /api/email_campaigns/{id}', { id }, campaign, options, {
      repeatable: true,
      params,
      rule: campaignUpdateRule,
    });
  }

  /**
   * Deletes a draft. `DELETE /api/email_campaigns/{id}`
   *
   * A campaign that has been started never returns to draft, so it can no longer be deleted.
   *
   * @throws {@link UnprocessableError} when it is not a draft, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call('delete', 'DELETE /api/email_campaigns/{id}', { id }, deleted, options);
  }

  /**
   * Starts sending a draft at once. `POST /api/email_campaigns/{id}/start`
   *
   * @throws {@link LifecycleError} with every reason why it cannot be sent, or because it is not a draft; it then stays
   * as it was. {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  start(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.#act('start', id, wasStarted, options);
  }

  /**
   * Schedules a draft. `POST /api/email_campaigns/{id}/schedule`.
   *
   * @example
   * ```ts
   * await client.campaigns.schedule(draft.id, { datetime: new Date(Date.now() + 3_600_000) });
   * ```
   * @throws {@link LifecycleError} for a time the service rejects, a failed sending validation, or a campaign that is
   * not a draft; it then stays as it was. {@link InvalidRequestError}, {@link NotFoundError},
   * {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  schedule(id: number, params: CampaignScheduleParams, options?: RequestOptions): ApiPromise<Campaign> {
    const scheduled = this.#act('schedule', id, isScheduledAt(params), options, {
      params,
      rule: campaignScheduleRule,
    });
    // The specification does not show a success: if it comes without the campaign, the campaign is read.
    return orElse(scheduled, ResponseFormatError, (left) => this.get(id, left), options);
  }

  /**
   * Returns a scheduled campaign to draft and removes its pending send job. `POST /api/email_campaigns/{id}/cancel`
   *
   * @throws {@link LifecycleError} when it is not scheduled, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  cancel(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.#act('cancel', id, isDraft, options);
  }

  /**
   * Returns a scheduled campaign to draft. `POST /api/email_campaigns/{id}/reset`
   *
   * @throws {@link LifecycleError} when it is not scheduled, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  reset(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.#act('reset', id, isDraft, options);
  }

  /**
   * Terminates a campaign that is being sent (started, queued or paused). `POST /api/email_campaigns/{id}/terminate`
   *
   * @throws {@link LifecycleError} when it is not being sent, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  terminate(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.#act('terminate', id, isEnded, options);
  }

  /**
   * Returns a campaign's statistics. `GET /api/email_campaigns/{id}/stats`
   *
   * @throws {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  stats(id: number, params: CampaignStatsParams = {}, options?: RequestOptions): ApiPromise<CampaignStats> {
    return this.call('stats', 'GET /api/email_campaigns/{id}/stats', { id }, stats, options, {
      params,
      rule: campaignStatsRule,
    });
  }

  /**
   * Polls a campaign until it has ended, and resolves to it: its state is then `finished`, `failed` or
   * `failed_immediately`, so check which it is. A campaign that nobody starts does not end; nor does one in a state that
   * the service has added since, until it leaves it. `onProgress` gets the campaign in every state. Each poll is a call of
   * {@link Campaigns.get}: it counts against the rate limits, at low priority by default, and is retried like any read.
   *
   * @example
   * ```ts
   * const { current_state } = await client.campaigns.waitUntilFinished(id, { deadlineMs: 6 * 3_600_000 });
   * ```
   * @throws {@link InvalidRequestError} before the first poll, {@link AbortedError} when the signal is aborted,
   * {@link TimeoutError} of kind `deadline` when `deadlineMs` has passed, by default an hour, and whatever `get` throws
   */
  waitUntilFinished(id: number, options?: WaitOptions<Campaign>): Promise<Campaign> {
    return this.waitUntil('waitUntilFinished', hasEnded, stateOf, id, options, 10_000);
  }

  /** Actions may be repeated: once one has worked, the campaign's state no longer allows it. */
  #act(
    name: 'start' | 'schedule' | 'cancel' | 'reset' | 'terminate',
    id: number,
    worked: (campaign: Campaign) => boolean,
    options: RequestOptions | undefined,
    sent?: Sent<CampaignScheduleParams>,
  ): ApiPromise<Campaign> {
    const settle = settledBy((left) => this.get(id, left), worked);
    const reader = { ...campaign, settle };
    const all = { ...sent, repeatable: true };
    return this.call(name, `POST /api/email_campaigns/{id}/${name}`, { id }, reader, options, all);
  }
}
