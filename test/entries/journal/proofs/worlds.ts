/**
 * Random worlds of deliveries: three processes record posts in any order and more than once, forget recipients and prune,
 * all at once, and are killed. In the end, no table has a trace of a forgotten recipient, and nothing else is missing.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { deliveryStatusOf } from 'email-platform/journal';
import { expect } from 'vitest';
import { bundledProgram } from '../../../support/programs.ts';
import { random } from '../../../support/random.ts';
import { plainEnv } from '../../../support/redis/workers.ts';
import type { KeeperOrder, SentEvent, Task } from './programs/keeper.ts';

const START = Date.UTC(2026, 0, 1);
/** Emails before this moment are pruned. */
const PRUNED = START + 500_000;
const NAMES = [
  'Canary0',
  'CANARY1',
  'canary2',
  'C\u00c4nary3',
  'can\u00c1ry4',
  'canary5',
  'canary6',
  'canary7',
];
const TYPES = ['delivery', 'open', 'click', 'bounce', 'soft_bounce', 'spam'];

/** A process that keeps deliveries. */
class Keeper {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<
    number,
    { resolve: (text: string) => void; reject: (error: unknown) => void }
  >();
  #last = 0;

  constructor(node: string, order: KeeperOrder) {
    const file = bundledProgram(fileURLToPath(new URL('programs/keeper.ts', import.meta.url)));
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    this.#process = fork(file, { execPath: node, execArgv, env: plainEnv() });
    this.#process.send(order);
    this.#process.on('message', (message: { id: number; result: string; error?: string }) => {
      const { resolve, reject } = this.#waiting.get(message.id) ?? {};
      this.#waiting.delete(message.id);
      if (message.error === undefined) resolve?.(message.result);
      else reject?.(new Error(message.error));
    });
    this.#process.on('exit', () => {
      for (const { resolve } of this.#waiting.values()) resolve(KILLED);
    });
  }

  /** Runs a task. A process that is killed meanwhile leaves it open. */
  run(task: Task): Promise<string> {
    return new Promise((resolve, reject) => {
      const id = (this.#last += 1);
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, task }, (error) => {
        if (error) resolve(KILLED);
      });
    });
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  async started(): Promise<this> {
    await once(this.#process, 'message');
    return this;
  }
}

const KILLED = 'killed';

/** What a world is made of. */
export interface WorldOrder extends KeeperOrder {
  readonly seed: number;
  readonly node: string;
  readonly emails: number;
}

interface Email {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly events: readonly SentEvent[];
}

/** Runs a world, and returns its figures. */
export async function proveWorld({ seed, node, emails, ...order }: WorldOrder) {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const shuffled = <T>(all: readonly T[]): T[] =>
    all
      .map((one) => [next(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  const forgotten = new Set(NAMES.filter((_, index) => index % 2 === 0));
  const addressOf = (name: string) => `${next() < 0.5 ? name : name.toLowerCase()}@example.org`;
  const figures = { tasks: 0, kills: 0, repeated: 0, forgets: 0 };

  const all: Email[] = [];
  const tasks: Task[] = [];
  const add = (id: string, name: string, key: string, owner: string) => {
    // On one side of the moment of `prune`, with all its events.
    const from = next() < 0.5 ? START : PRUNED;
    const custom_variables = { idempotency_key: key, name };
    const events = Array.from({ length: 1 + below(4) }, (_, index): SentEvent => ({
      kind: 'sending',
      event_type: pick(TYPES),
      event_id: `${id} ${index}`,
      message_id: id,
      email: name === owner ? addressOf(name) : owner,
      sending_stream: 'transactional',
      custom_variables: name === owner ? custom_variables : { idempotency_key: key },
      at: from + below(499) * 1_000,
      ...(name === owner && { response: `no ${name}@example.org`, url: `https://e.org/?${name}` }),
    }));
    all.push({ id, name: owner, key, events });
    for (const event of events)
      for (let copy = 0; copy < 1 + below(3); copy += 1) tasks.push({ kind: 'record', events: [event] });
    tasks.push({ kind: 'record', events: shuffled(events) });
    return from === PRUNED;
  };
  for (let email = 0; email < emails; email += 1) {
    const name = pick(NAMES);
    const key =
      next() < 0.3
        ? `order/${email}`
        : `news-${email}${pick(['/', ':', ''])}${addressOf(name)}${pick(['', '/2'])}`;
    const isYoung = add(`m ${email}`, name, key, name);
    if (next() < 0.3) add(`c ${email}`, name, key, 'archive@shop.example');
    if (isYoung && next() < 0.5) tasks.push({ kind: 'sent', ids: [`m ${email}`], key });
  }
  const forgets = [...forgotten].flatMap((name) =>
    Array.from({ length: 2 }, (): Task => ({ kind: 'forget', recipient: addressOf(name) })),
  );
  const prunes = Array.from({ length: 3 }, (): Task => ({ kind: 'prune', before: PRUNED }));

  const start = () => new Keeper(node, order).started();
  const keepers = await Promise.all([start(), start(), start()]);
  try {
    const queue = shuffled([...tasks, ...forgets, ...prunes]);
    const work = async () => {
      for (let task = queue.pop(); task !== undefined; task = queue.pop()) {
        figures.tasks += 1;
        const index = below(keepers.length);
        const keeper = keepers[index];
        const running = keeper?.run(task);
        if (keeper && next() < 0.03) {
          await new Promise((resolve) => setTimeout(resolve, below(8)));
          keeper.kill();
          figures.kills += 1;
          keepers[index] = await start();
        }
        // The service repeats a post without a response, and a caller a `forget`.
        if ((await running) === KILLED) {
          figures.repeated += 1;
          queue.push(task);
        } else if (task.kind === 'forget') figures.forgets += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    // Worlds end with a prune, as a message may have been recorded anew by a later event.
    await keepers[0].run({ kind: 'prune', before: PRUNED });
    const text = await keepers[0].run({ kind: 'rows' });
    for (const name of forgotten)
      expect(text.toLowerCase(), `seed ${seed}`).not.toContain(name.toLowerCase());
    const [[rows, events]] = JSON.parse(text) as [[Record<string, unknown>[], Record<string, unknown>[]]];
    for (const { id, name, key, events: posted } of all) {
      const row = rows.find(({ message_id }) => message_id === id);
      const isPruned = posted.every(({ at }) => at < PRUNED);
      const types = posted.map(({ event_type }) => String(event_type));
      expect([id, row?.status]).toEqual([id, isPruned ? undefined : deliveryStatusOf(types)]);
      if (isPruned) continue;
      const kept = events.filter(({ message_id }) => message_id === id);
      expect(kept.map(({ identity }) => identity).sort()).toEqual(
        posted.map(({ event_id }) => `id ${String(event_id)}`).sort(),
      );
      const isHidden = [...forgotten].some((one) => key.toLowerCase().includes(one.toLowerCase()));
      expect([id, row?.key]).toEqual([id, isHidden ? null : key]);
      const isKept = order.addresses !== 'none' && !forgotten.has(name);
      expect([id, typeof row?.recipient]).toEqual([id, isKept ? 'string' : 'object']);
    }
    return { ...figures, messages: all.length, events: events.length };
  } finally {
    for (const keeper of keepers) keeper.kill();
  }
}
