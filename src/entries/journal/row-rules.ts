/** Refuses claims and records that do not fit into the table, with an error that names the field. */
import type { JournalClaim, JournalRecord } from '../../core/journal.ts';
import { isRecord } from '../../core/record.ts';
import { STREAMS } from '../../core/request.ts';
import { mustBe, oneOf, refuse, required, stringRule, type Rules } from '../../core/rules.ts';

const KEY_RULES = {
  namespace: required(stringRule),
  key: required(stringRule),
  stream: required(oneOf(STREAMS)),
  attempt: required(stringRule),
};

const CLAIM_RULES: Rules<JournalClaim> = {
  ...KEY_RULES,
  hash: required(stringRule),
  leaseMs: required(
    mustBe('a number of milliseconds, 0 or more', (value) => Number(value) >= 0 && Number.isFinite(value)),
  ),
  over: (value) => (value === undefined ? undefined : stringRule(value)),
};

const RECORD_RULES: Rules<JournalRecord> = {
  ...KEY_RULES,
  state: required(oneOf(['accepted', 'unknown', 'released'])),
  messageIds: required(
    mustBe(
      'an array of strings',
      (value) => Array.isArray(value) && value.every((id) => typeof id === 'string'),
    ),
  ),
};

/** Throws a ConfigurationError that names the first wrong field. Ignores unknown fields. */
function check<Row extends object>(list: string, rows: readonly Row[], rules: Rules<Row>): void {
  if (!Array.isArray(rows)) refuse(list, 'must be an array');
  const names = Object.keys(rules) as (keyof Row & string)[];
  rows.forEach((row, index) => {
    if (!isRecord(row)) refuse(`${list}[${index}]`, 'must be an object');
    for (const name of names) {
      const problem = rules[name](Object.hasOwn(row, name) ? row[name] : undefined);
      if (problem !== undefined) refuse(`${list}[${index}].${name}`, problem);
    }
  });
}

export const checkClaims = (claims: readonly JournalClaim[]): void => check('claims', claims, CLAIM_RULES);

export const checkRecords = (records: readonly JournalRecord[]): void =>
  check('records', records, RECORD_RULES);
