/**
 * `email-platform journal resend|release`: frees open keys by hand, so that the next send with a key posts its email.
 */
import { printable } from '../core/error-text.ts';
import { jsonText } from './json-text.ts';
import type { DatabaseJournal } from '../entries/journal/index.ts';
import { isYes, type Surroundings } from './surroundings.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import { journalOptions, withJournal } from './journal-options.ts';
import { counted } from './journal-status.ts';
import { progressOf } from './progress.ts';

const WORDS = {
  resend: {
    description:
      'Frees open keys to be sent again: the next send with a key posts its email, which may then arrive twice. It sends nothing itself.',
    question: 'may be sent again, and their emails may then arrive twice',
    done: 'free to be sent again',
  },
  release: {
    description:
      'Records that the emails of open keys were certainly not sent, which frees the keys. It sends nothing itself.',
    question: 'count as not sent',
    done: 'free',
  },
} as const;

/** Number of keys in the question. */
const SHOWN = 10;
/** Number of keys per call of `free`. */
const PORTION = 5_000;

/** Adds the command. */
export function freeCommand(journal: Command, surroundings: Surroundings, as: 'resend' | 'release'): void {
  const command = journal.command(`${as} [key...]`).description(WORDS[as].description);
  const place = journalOptions(command);
  command.usage('--sqlite <file>|--postgres <url> <key…>|--all-unknown [options]');
  const isAll = command.allows('--all-unknown', 'all open keys, instead of named ones');
  const isAgreed = command.allows('--yes', 'do not ask');
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples({
    [`email-platform journal ${as} --sqlite mail.db order/7`]: 'one key',
    [`email-platform journal ${as} --sqlite mail.db --all-unknown --yes`]:
      'all open keys, without a question',
  });
  command.action((keys: readonly string[]) => {
    if (isAll() === keys.length > 0) command.error('needs either keys or --all-unknown');
    const { ask, out } = surroundings;
    if (!isAgreed() && !ask) command.error('needs --yes without a terminal');
    return withJournal(place(), async (journal) => {
      const chosen = await chosenKeys(journal, keys);
      if (!isAgreed() && chosen.length > 0) await agree(ask, chosen, as);
      const freed = await free(journal, chosen, as, surroundings);
      const others = keys.filter(unlessIn(freed));
      out(isJson() ? jsonText({ freed, notOpen: others }) : `${counted(freed.length)} ${WORDS[as].done}\n`);
      if (others.length > 0)
        throw new Failure(
          `Not open: ${others.join(', ')}. These keys are accepted, in flight, free, or not in the journal. Next, with the same options: journal status --list, which shows the open ones.`,
        );
    });
  });
}

/** The open ones of the keys; all open keys if none is named. */
async function chosenKeys({ store, namespace }: DatabaseJournal, keys: readonly string[]): Promise<string[]> {
  const open = (await store.open(namespace)).map(({ key }) => key);
  if (keys.length === 0) return open;
  const isOpen = new Set(open);
  return [...new Set(keys)].filter((key) => isOpen.has(key));
}

/** Frees the keys in portions, and shows the progress. */
async function free(
  journal: DatabaseJournal,
  keys: readonly string[],
  as: 'resend' | 'release',
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const progress = progressOf(surroundings);
  const freed: string[] = [];
  try {
    for (let done = 0; done < keys.length; done += PORTION) {
      for (const key of await journal.free(keys.slice(done, done + PORTION), as)) freed.push(key);
      progress.say(`${Math.min(done + PORTION, keys.length)} of ${keys.length} keys`);
    }
    return freed;
  } finally {
    progress.end();
  }
}

async function agree(
  ask: Surroundings['ask'],
  keys: readonly string[],
  as: 'resend' | 'release',
): Promise<void> {
  const more = keys.length > SHOWN ? `  … and ${keys.length - SHOWN} more\n` : '';
  const shown = keys.slice(0, SHOWN).map((key) => `  ${printable(key)}\n`);
  const question = `These keys ${WORDS[as].question}:\n${shown.join('')}${more}Continue?`;
  if (!ask || !(await isYes(ask, question))) throw new Failure('Nothing was changed.');
}

function unlessIn(keys: readonly string[]): (key: string) => boolean {
  const all = new Set(keys);
  return (key) => !all.has(key);
}
