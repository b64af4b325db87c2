/**
 * A process of an application that sends the emails of an input, each with a key, and may be killed while it does. It tells
 * of each outcome as soon as it has it.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { EmailPlatform } from '../../../../../src/index.ts';
import { sqliteJournal } from '../../../../../src/entries/journal/index.ts';
import type { Database } from '../../../../support/sqlite.ts';
import { base, emailAt, keyOf, type Email } from '../emails.ts';
import type { SenderEvent, SenderOrder, Told } from '../messages.ts';
import { openDatabase, setClock } from './database.ts';
import { realNow, setOwnClocks } from './own-clock.ts';

let movedOnMs = 0;
let clockOffMs = 0;
let database: Database | undefined;

const tell = (event: SenderEvent) =>
  new Promise<void>((resolve) => void process.send?.(event, () => resolve()));

function* inputOf(count: number): Generator<Email> {
  for (let index = 0; index < count; index += 1) yield emailAt(index);
}

/** The input as a database gives it: later. Node uses a connection again only two turns after its response. */
async function* heldUpInput({ count, heldUpAt, file }: SenderOrder): AsyncGenerator<Email> {
  for (const [index, email] of [...inputOf(count)].entries()) {
    if (index === heldUpAt) {
      await setImmediate();
      await setImmediate();
      holdUp(`${file}.held-up`);
    }
    yield email;
  }
}

/** Lets no turn of the event loop begin while a file is there. */
function holdUp(file: string): void {
  writeFileSync(file, '');
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (existsSync(file)) Atomics.wait(never, 0, 0, 5);
}

async function openedOnce({ database: name, file }: SenderOrder): Promise<Database> {
  const opened = await openDatabase(name, file);
  setClock(opened, () => realNow() + movedOnMs);
  return opened;
}

async function work(order: SenderOrder): Promise<void> {
  ({ movedOnMs, clockOffMs } = order);
  database ??= await openedOnce(order);
  const journal = sqliteJournal(database, { onUnknown: order.onUnknown });
  await journal.setup();
  const client = new EmailPlatform({
    ...order.connection,
    journal,
    timeoutMs: order.timeoutMs,
    // To look emails up must not take as long as the limit of the log demands of real time.
    throttle: { limits: { emailLogsList: false } },
  });
  if (order.settles) await client.sending.settleUnknown();
  let outcomes: Told[] = [];
  const flush = async () => {
    const told = outcomes;
    outcomes = [];
    await tell({ kind: 'outcomes', outcomes: told });
  };
  const input = order.heldUpAt === undefined ? inputOf(order.count) : heldUpInput(order);
  await tell({ kind: 'started' });
  for await (const outcome of client.sending.batchAll(input, {
    base,
    idempotencyKey: keyOf,
  })) {
    const { index, status, message_ids: ids = [], error } = outcome;
    outcomes.push([
      index,
      status,
      outcome.status === 'accepted' && outcome.replayed === true,
      ids,
      error?.code ?? null,
    ]);
    if (outcomes.length === 100) await flush();
  }
  await flush();
  await tell({ kind: 'over' });
}

setOwnClocks(() => movedOnMs + clockOffMs);
process.on('message', (order: SenderOrder | { readonly kind: 'die' }) => {
  if ('kind' in order) {
    process.kill(process.pid, 'SIGKILL');
    return;
  }
  work(order).catch((error: unknown) => tell({ kind: 'failed', error: String(error) }));
});
// The process that started it is gone.
process.once('disconnect', () => process.exit());
void tell({ kind: 'ready' });
