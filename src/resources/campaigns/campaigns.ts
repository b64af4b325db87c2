import type { ApiPromise } from '../../core/api-promise.ts';
import { ResponseFormatError } from '../../core/errors.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
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
} from './types.ts';
import { campaigns } from './endpoints.ts';
import { isFinishedCampaignState } from './types.ts';
import type { WaitOptions } from '../base/wait-options.ts';
import { orElse } from '../base/either.ts';
import { WaitingResource } from '../base/waiting-resource.ts';

const hasEnded = ({ current_state }: Campaign) => isFinishedCampaignState(current_state);
const stateOf = ({ current_state }: Campaign) => `its state is ${current_state}`;

/** Email campaigns: creating, editing, scheduling and sending them, and their statistics. */
export class Campaigns extends WaitingResource<Campaign> {
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
    return this.pages(campaigns().list, {}, options, params);
  }

  /**
   * Creates a campaign, always as a draft. `POST /api/email_campaigns`
   *
   * Never retried when its outcome is unknown: a retry could create two drafts.
   *
   * @throws {@link ValidationError} when the service rejects fields, {@link InvalidRequestError} before anything is
   * sent, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: CampaignCreateParams, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call(campaigns().create, {}, options, params);
  }

  /**
   * Returns one campaign with its template's bodies. `GET /api/email_campaigns/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  override get(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call(campaigns().get, { id }, options);
  }

  /**
   * Updates a draft; only the given fields change. `PATCH /api/email_campaigns/{id}`
   *
   * In `template_attributes`, a field left out or sent as null keeps its value. Lists of ids replace the whole list.
   *
   * @throws {@link ValidationError} for rejected fields, {@link LifecycleError} when it is not a draft,
   * {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: CampaignUpdateParams, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call(campaigns().update, { id }, options, params);
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
    return this.call(campaigns().delete, { id }, options);
  }

  /**
   * Starts sending a draft at once. `POST /api/email_campaigns/{id}/start`
   *
   * @throws {@link LifecycleError} with every reason why it cannot be sent, or because it is not a draft; it then stays
   * as it was. {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  start(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call(campaigns().start, { id }, options);
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
    const scheduled = this.call(campaigns().schedule, { id }, options, params);
    // The specification does not show a success: if the response lacks the campaign, it is read.
    return orElse(scheduled, ResponseFormatError, (left) => this.get(id, left), options);
  }

  /**
   * Returns a scheduled campaign to draft and removes its pending send job. `POST /api/email_campaigns/{id}/cancel`
   *
   * @throws {@link LifecycleError} when it is not scheduled, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  cancel(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call(campaigns().cancel, { id }, options);
  }

  /**
   * Returns a scheduled campaign to draft. `POST /api/email_campaigns/{id}/reset`
   *
   * @throws {@link LifecycleError} when it is not scheduled, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  reset(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call(campaigns().reset, { id }, options);
  }

  /**
   * Terminates a campaign that is being sent (started, queued or paused). `POST /api/email_campaigns/{id}/terminate`
   *
   * @throws {@link LifecycleError} when it is not being sent, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  terminate(id: number, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call(campaigns().terminate, { id }, options);
  }

  /**
   * Returns a campaign's statistics. `GET /api/email_campaigns/{id}/stats`
   *
   * @throws {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  stats(id: number, params: CampaignStatsParams = {}, options?: RequestOptions): ApiPromise<CampaignStats> {
    return this.call(campaigns().stats, { id }, options, params);
  }

  /**
   * Polls a campaign until it has ended, and resolves to it: check whether its state is `finished`, `failed` or
   * `failed_immediately`. The wait goes on for a campaign that is never started, and for a state that the service has
   * added since. `onProgress` gets the campaign in every state. Each poll is a call of {@link Campaigns.get}: it counts
   * against the rate limits, at low priority by default, and is retried like any read.
   *
   * @example
   * ```ts
   * const { current_state } = await client.campaigns.waitUntilFinished(id, { deadlineMs: 6 * 3_600_000 });
   * ```
   * @throws {@link InvalidRequestError} before the first poll, {@link AbortedError} when the signal is aborted,
   * {@link TimeoutError} of kind `deadline` when `deadlineMs` has passed, by default an hour, and whatever `get` throws
   */
  waitUntilFinished(id: number, options?: WaitOptions<Campaign>): Promise<Campaign> {
    return this.waitUntil('campaigns.waitUntilFinished', hasEnded, stateOf, id, options, 10_000);
  }
}
