import { EMULATOR_ACCOUNT_ID } from '../../core/emulator-account.ts';
import { portOf } from '../../client/port.ts';
import type { Template } from '../../resources/templates/types.ts';
import { accountOf } from './account-id.ts';
import type { TemplatesCallOptions, TemplatesClient } from './client.ts';
import { compare, type Comparison } from './compare.ts';
import { TemplateError } from './errors.ts';
import { kindAt } from './files.ts';
import { AccountLock } from './lock.ts';
import type { Languages } from './languages.ts';
import { folderNameOf } from './names.ts';
import { emptyFolder, readFolder } from './read.ts';
import type { TemplateFolder } from './types.ts';

/** A folder of templates, and the account to compare it with. */
export interface Sides {
  readonly accountId: number;
  readonly lock: AccountLock;
  readonly hosted: readonly Template[];
  readonly languages: Languages;
  /** All templates of the folder, also those that the command does not act on. */
  readonly all: readonly TemplateFolder[];
  readonly comparison: Comparison;
  /** Whether a pull writes the account into the lock. */
  readonly isLocked: boolean;
  /** The options of each further call. */
  readonly call: TemplatesCallOptions;
}

/** Options of every command that compares a folder with an account. */
export interface SidesOptions {
  /** Names of templates or of their folders, with `*` and `?`: the others stay as they are. Empty for all templates. */
  readonly only?: readonly string[] | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads both sides. Reads the files first, so that a mistake in them costs no request. */
export async function readSides(
  client: TemplatesClient,
  folder: string,
  { only = [], signal }: SidesOptions,
  { mayBeMissing = false } = {},
): Promise<Sides> {
  const isMissing = mayBeMissing && (await kindAt(folder)) === undefined;
  const read = isMissing ? emptyFolder(folder, only) : await readFolder(folder, only);
  if (read.problems.length > 0) throw new TemplateError(read.problems);
  const accountId = await accountOf(client, signal);
  const call = { accountId, signal };
  const hosted: Template[] = [];
  for await (const one of client.templates.list(call)) hosted.push(one);
  const lock = new AccountLock(folder, accountId, read.lock);
  const comparison = compare(read, lock.entries, hosted);
  read.selection.checkOnly([
    ...read.names,
    ...lock.entries.keys(),
    ...hosted.flatMap(({ id, name }) => [name, folderNameOf(name, id)]),
  ]);
  const isLocked = read.lock[accountId] !== undefined || !isUsualEmulator(client, accountId);
  return { accountId, lock, hosted, languages: read.languages, all: read.all, comparison, isLocked, call };
}

/**
 * Whether a client is connected to an emulator that was started without the id of an account. The addresses of emulators
 * end with this path.
 */
const isUsualEmulator = (client: TemplatesClient, accountId: number): boolean =>
  accountId === EMULATOR_ACCOUNT_ID && portOf(client)?.hosts.api?.endsWith('/account') === true;
