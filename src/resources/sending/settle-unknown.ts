import { late } from '../../kit/late.ts';
import type { CallSite } from '../../core/call-site.ts';
import { thrownFrom } from '../../core/error-base.ts';
import { optionsWith, takenOptions } from '../../core/request-options.ts';
import { functionRule } from '../../core/rules.ts';
import { journalMissing } from './keyed-send.ts';
import type { SettleOptions, SettleResult } from '../../core/settle-types.ts';
import type { SendingJournal } from '../../core/sending-journal.ts';

const OPERATION = 'sending.settleUnknown';

const optionsRule = late(() => optionsWith<Pick<SettleOptions, 'onProgress'>>({ onProgress: functionRule }));

/** Asks the journal to settle the keys with an unknown outcome. */
export async function settleUnknown(
  journal: SendingJournal | undefined,
  site: CallSite,
  options: SettleOptions = {},
): Promise<SettleResult> {
  try {
    if (!journal) throw journalMissing(OPERATION);
    return await journal.settleUnknown(takenOptions(OPERATION, options, () => [], optionsRule()));
  } catch (error) {
    throw thrownFrom(site, error);
  }
}
