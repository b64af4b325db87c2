import type { DatabaseName } from '../../../support/sqlite.ts';
import type { DatabaseHere } from '../../../support/databases.ts';
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from '../../../support/programs.ts';
import { plainEnv } from '../../../support/redis/workers.ts';
import type {
  Connection,
  SenderEvent,
  SenderOrder,
  ServiceEvent,
  ServiceOrder,
  Told,
  TroubleEvent,
} from './messages.ts';

/** A program of this folder in a process of its own. Its messages are taken one by one, in order. */
class Program<Event extends { readonly kind: string }> {
  protected readonly process: ChildProcess;
  protected readonly exited: Promise<void>;
  #received: Event[] = [];
  #wake: () => void = () => undefined;
  #isGone = false;

  constructor(name: string, node: string) {
    const file = bundledProgram(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)));
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    this.process = fork(file, { execPath: node, execArgv, env: plainEnv() });
    this.process.on('message', (event: Event) => {
      this.#received.push(event);
      this.#wake();
    });
    // Not at its exit: what it said before is read first.
    this.process.once('disconnect', () => {
      this.#isGone = true;
      this.#wake();
    });
    this.exited = new Promise((resolve) => void this.process.once('exit', () => resolve()));
  }

  /** The next message; undefined once the process is gone. Throws what the program says has failed. */
  async next(): Promise<Event | undefined> {
    for (;;) {
      const event = this.#received.shift();
      if (event?.kind === 'failed') throw new Error(`A program failed: ${JSON.stringify(event)}`);
      if (event !== undefined || this.#isGone) return event;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The next message, which has to be of this kind. */
  async expect<Kind extends Event['kind']>(kind: Kind): Promise<Extract<Event, { readonly kind: Kind }>> {
    const event = await this.next();
    if (event?.kind !== kind) throw new Error(`Expected ${kind}, not ${event?.kind ?? 'its end'}`);
    return event as Extract<Event, { readonly kind: Kind }>;
  }

  /** Kills it at once, whatever it is doing. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }
}

/** The service, in a process of its own. */
export class Service extends Program<ServiceEvent> {
  connection!: Connection;
  #announce: () => void = () => undefined;

  private constructor() {
    super('service', process.execPath);
    this.process.on('message', ({ kind }: ServiceEvent) => {
      if (kind === 'post') this.#announce();
    });
  }

  static async start(): Promise<Service> {
    const service = new Service();
    await service.expect('listening');
    return service;
  }

  /** Forgets everything, and begins anew. */
  async begin(order: Omit<Extract<ServiceOrder, { readonly kind: 'begin' }>, 'kind'>): Promise<void> {
    ({ connection: this.connection } = await this.#ask({ kind: 'begin', ...order }, 'begun'));
  }

  /** From now on, every post is answered. */
  async calm(): Promise<void> {
    await this.#ask({ kind: 'calm' }, 'done');
  }

  /**
   * Resolves to a promise that resolves when so many more posts have arrived. With `holds`, the posts after the next two
   * wait until their sender is gone: no run is over before its process is killed, however busy the machine is.
   */
  async announce(posts: number, holds = false): Promise<{ readonly arrived: Promise<void> }> {
    const arrived = new Promise<void>((resolve) => (this.#announce = resolve));
    await this.#ask({ kind: 'announce', posts, holds }, 'done');
    return { arrived };
  }

  /** Once every sender is gone: waits until all that they sent has been dealt with. */
  async drain(): Promise<void> {
    await this.#ask({ kind: 'drain' }, 'done');
  }

  /** Waits until every request has its response, and closes the connections without a word, as load balancers do. */
  async closeIdle(): Promise<void> {
    await this.#ask({ kind: 'close idle' }, 'done');
  }

  async advance(ms: number): Promise<void> {
    await this.#ask({ kind: 'advance', ms }, 'done');
  }

  /** Returns the posts and the ids of each key. */
  async record(): Promise<ReadonlyMap<string, { readonly posts: number; readonly ids: readonly string[] }>> {
    const { keys } = await this.#ask({ kind: 'record' }, 'record');
    return new Map(keys.map(([key, posts, ids]) => [key, { posts, ids }]));
  }

  override async next(): Promise<ServiceEvent | undefined> {
    const event = await super.next();
    return event?.kind === 'post' ? this.next() : event;
  }

  #ask<Kind extends ServiceEvent['kind']>(order: ServiceOrder, kind: Kind) {
    this.process.send(order);
    return this.expect(kind);
  }
}

/** A process that sends. */
export class Sender extends Program<SenderEvent> {
  readonly #diesBetweenTurns: boolean;

  private constructor({ name, node }: DatabaseHere) {
    super('sender', node);
    this.#diesBetweenTurns = name === 'node-sqlite3-wasm';
  }

  static async start(database: DatabaseHere): Promise<Sender> {
    const sender = new Sender(database);
    await sender.expect('ready');
    return sender;
  }

  /**
   * Kills it at once. With SQLite as WebAssembly it kills itself between two turns of its event loop: that library does
   * not roll back a transaction in which a process was killed, and a transaction of the journal is one turn.
   */
  override async kill(): Promise<void> {
    if (!this.#diesBetweenTurns || !this.process.connected) return super.kill();
    this.process.send({ kind: 'die' });
    await this.exited;
  }

  /** Waits until the run of this order is held up. */
  async heldUp({ file }: SenderOrder): Promise<void> {
    while (!existsSync(`${file}.held-up`)) await setTimeout(5);
  }

  /** Lets it go on. */
  letGo({ file }: SenderOrder): void {
    rmSync(`${file}.held-up`);
  }

  /** Starts a run, whose outcomes {@link outcomes} waits for. */
  begin(order: SenderOrder): void {
    this.process.send(order);
  }

  /** Every outcome that it tells of, until the run is over or the process is gone. */
  async outcomes(): Promise<{ readonly outcomes: readonly Told[]; readonly isOver: boolean }> {
    const outcomes: Told[] = [];
    for (;;) {
      const event = await this.next();
      if (event === undefined || event.kind === 'over') return { outcomes, isOver: event !== undefined };
      if (event.kind === 'outcomes') outcomes.push(...event.outcomes);
    }
  }

  async run(order: SenderOrder): Promise<readonly Told[]> {
    this.begin(order);
    const { outcomes, isOver } = await this.outcomes();
    if (!isOver) throw new Error('A sender ended before its run was over');
    return outcomes;
  }
}

/** Runs every case of trouble with a database; returns what became of each, by name. */
export async function troubleWith(
  name: DatabaseName,
  node: string,
  folder: string,
): Promise<Map<string, unknown>> {
  const program = new Trouble('trouble', node);
  await program.expect('ready');
  return program.results({ database: name, folder });
}

class Trouble extends Program<TroubleEvent> {
  async results(order: {
    readonly database: DatabaseName;
    readonly folder: string;
  }): Promise<Map<string, unknown>> {
    this.process.send(order);
    const results = new Map<string, unknown>();
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error('The program ended before all cases were tried');
      if (event.kind === 'over') return results;
      if (event.kind === 'case') results.set(event.name, event.result);
    }
  }
}
