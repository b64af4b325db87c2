import type { State } from '../../state.ts';
import { emptyTable, Table } from '../../table.ts';
import type { CampaignAttributes, CampaignRecord } from './record.ts';

/** All campaigns. */
export class CampaignStore extends Table<CampaignRecord> {
  constructor(state: State) {
    super(state.part('campaigns', emptyTable<CampaignRecord>(1001)));
  }

  add(accountId: number, attributes: CampaignAttributes, now: number): CampaignRecord {
    return this.insert({
      accountId,
      templateId: this.nextId + 50_000,
      createdAt: now,
      updatedAt: now,
      attributes,
      state: 'draft',
      metadata: {},
      epoch: 0,
      lastStartedAt: null,
      recipients: null,
      sentShare: 0,
    });
  }

  /** The names of the campaigns that can still be sent and whose templates have this merge tag. */
  using(accountId: number, mergeTag: string): string[] {
    return this.newestOf(accountId)
      .filter(
        ({ state, attributes }) => /draft|scheduled/.test(state) && attributes.mergeTags.includes(mergeTag),
      )
      .map(({ attributes }) => attributes.name);
  }
}
