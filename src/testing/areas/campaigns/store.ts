import type { CampaignAttributes, CampaignRecord } from './record.ts';

/** All campaigns, including removed ones: their ids are never reused. */
export class CampaignStore {
  readonly #campaigns = new Map<number, CampaignRecord>();
  #nextId = 1001;

  add(accountId: number, attributes: CampaignAttributes, now: number): CampaignRecord {
    const id = this.#nextId;
    this.#nextId += 1;
    const campaign: CampaignRecord = {
      id,
      accountId,
      templateId: id + 50_000,
      createdAt: now,
      updatedAt: now,
      attributes,
      state: 'draft',
      metadata: {},
      epoch: 0,
      lastStartedAt: null,
      recipients: null,
      sentShare: 0,
      removed: false,
    };
    this.#campaigns.set(id, campaign);
    return campaign;
  }

  /** The campaign with this id, if it belongs to the account and was not removed. */
  find(accountId: number, id: number): CampaignRecord | undefined {
    const campaign = this.#campaigns.get(id);
    return campaign?.accountId === accountId && !campaign.removed ? campaign : undefined;
  }

  /** The names of the campaigns that can still be sent and whose templates have this merge tag. */
  using(accountId: number, mergeTag: string): string[] {
    return this.list(accountId)
      .filter(
        ({ state, attributes }) => /draft|scheduled/.test(state) && attributes.mergeTags.includes(mergeTag),
      )
      .map(({ attributes }) => attributes.name);
  }

  /** The account's campaigns, newest first. */
  list(accountId: number): CampaignRecord[] {
    return [...this.#campaigns.values()]
      .filter((campaign) => campaign.accountId === accountId && !campaign.removed)
      .reverse();
  }
}
