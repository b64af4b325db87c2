import { afterAll, expect, test } from 'vitest';
import { ofAccount } from './account.ts';
import { ofCampaigns } from './campaigns.ts';
import { ofContacts } from './contacts.ts';
import { ofInboxes } from './inboxes.ts';
import { NOT_ASKED } from './not-asked.ts';
import { asked } from './quote.ts';
import { ofSending } from './sending.ts';

const quotes = [...ofCampaigns, ...ofSending, ...ofAccount, ...ofContacts, ...ofInboxes];
let equal = 0;

afterAll(() => {
  const missing = Object.entries(NOT_ASKED).map(([what, why]) => `\nnot asked: ${what}: ${why}`);
  process.stdout.write(`Quotations of the sources: ${equal} of ${quotes.length} equal${missing.join('')}\n`);
});

test('each quotation has a name of its own', () => {
  expect(new Set(quotes.map(({ what }) => what)).size).toBe(quotes.length);
});

test.each(quotes.map((one) => [one.what, one] as const))(
  'quoted: %s',
  async (_, { ask, status, value, options }) => {
    const answered = await ask(asked(options));
    expect([status === undefined ? undefined : answered.status, answered.value]).toEqual([status, value]);
    equal += 1;
  },
);
