import { CAMPAIGN_STATES, isKnownCampaignState } from 'email-platform';
import { describe, expect, test } from 'vitest';

describe('Campaign states', () => {
  test('are those of the specification', () => {
    expect(CAMPAIGN_STATES).toEqual([
      'draft',
      'scheduled',
      'started',
      'queued',
      'paused',
      'terminating',
      'under_review',
      'finished',
      'failed',
      'failed_immediately',
    ]);
  });

  test('known ones can be distinguished from those the service may add', () => {
    expect(CAMPAIGN_STATES.every(isKnownCampaignState)).toBe(true);
    expect(['archived', '', 'Draft', 'constructor'].some(isKnownCampaignState)).toBe(false);
  });
});
