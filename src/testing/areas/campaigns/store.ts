import {
  arrayOf,
  number,
  recordOf,
  oneOf,
  or,
  plainObject,
  positive,
  text,
  time,
  wholeFrom,
} from '../../checks/kind.ts';
import { Table } from '../../table.ts';
import { CAMPAIGN_STATES, type CampaignAttributes, type CampaignRecord } from './record.ts';

const attributes = recordOf<CampaignAttributes>({
  name: text,
  domainId: wholeFrom(0),
  fromLocalPart: text,
  fromDisplayName: or(text, null),
  replyTo: plainObject,
  deliveryMode: oneOf(['rapid', 'gradual']),
  deliveryOptions: plainObject,
  contactListIds: arrayOf('ids', positive),
  contactSegmentIds: arrayOf('ids', positive),
  subject: text,
  bodyHtml: or(text, null),
  bodyText: or(text, null),
  mergeTags: arrayOf('names', text),
});

const campaign = recordOf<CampaignRecord>({
  id: positive,
  accountId: positive,
  templateId: positive,
  createdAt: time,
  attributes,
  updatedAt: time,
  state: oneOf(CAMPAIGN_STATES),
  metadata: plainObject,
  epoch: wholeFrom(0),
  lastStartedAt: or(time, null),
  recipients: or(wholeFrom(0), null),
  sentShare: number('a share', (share) => share >= 0 && share <= 1),
});

/** All campaigns. */
export class CampaignStore extends Table<CampaignRecord> {
  constructor() {
    super({ kind: campaign, firstId: 1001 });
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
