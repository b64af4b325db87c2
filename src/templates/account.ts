import { ConfigurationError } from '../core/errors.ts';
import { VARIABLES } from '../core/variables.ts';
import type { Template } from '../resources/templates/types.ts';
import type { TemplatesCallOptions, TemplatesClient } from './client.ts';
import { compare, type Comparison } from './compare.ts';
import { kindAt } from './files.ts';
import { AccountLock, readLock } from './lock.ts';
import { readTemplates } from './read.ts';

/** A folder of templates, and the account to compare it with. */
export interface Sides {
  readonly accountId: number;
  readonly lock: AccountLock;
  readonly hosted: readonly Template[];
  readonly comparison: Comparison;
  /** The options of each further call. */
  readonly call: TemplatesCallOptions;
}

/** Reads both sides. Reads the files first, so that a mistake in them costs no request. */
export async function readSides(
  client: TemplatesClient,
  folder: string,
  signal: AbortSignal | undefined,
  { mayBeMissing = false } = {},
): Promise<Sides> {
  const isMissing = mayBeMissing && (await kindAt(folder)) === undefined;
  const files = isMissing ? [] : await readTemplates(folder);
  const locked = isMissing ? {} : await readLock(folder);
  const accountId = client.accountId ?? (await onlyAccount(client, signal));
  const call = { accountId, signal };
  const hosted: Template[] = [];
  for await (const one of client.templates.list(call)) hosted.push(one);
  const lock = new AccountLock(folder, accountId, locked);
  return { accountId, lock, hosted, comparison: compare(files, lock.entries, hosted), call };
}

/** The only account that the token can see. */
async function onlyAccount(client: TemplatesClient, signal: AbortSignal | undefined): Promise<number> {
  const ids: number[] = [];
  for await (const { id } of client.accounts.list({ signal })) ids.push(id);
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  const visible = id === undefined ? 'no account' : `the accounts ${ids.join(', ')}`;
  const todo = `pass accountId to the client, or set ${VARIABLES.accountId}`;
  throw new ConfigurationError(`The token can see ${visible}: ${todo}`, { option: 'accountId' });
}
