/**
 * Failures of a database while emails are sent with keys, one case after the other. Reports the outcome of each case for the
 * caller, the number of requests, and the accepted emails.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Database, DatabaseName } from '../../../../support/sqlite.ts';
import {
  EmailPlatform,
  EmailPlatformError,
  type EmailPlatformOptions,
  type SendParams,
} from '../../../../../src/index.ts';
import { sqliteJournal } from '../../../../../src/entries/journal/index.ts';
import { createEmulator, type Emulator } from '../../../../../src/testing/index.ts';
import { base, emailAt, keyOf, type Email } from '../emails.ts';
import type { TroubleEvent } from '../messages.ts';
import { openDatabase, setClock } from './database.ts';
import { realNow, setOwnClocks } from './own-clock.ts';

const MINUTE = 60_000;
const TIMEOUT_MS = 10_000;
/** Long enough for every lease to be over, and for the log to be believed. */
const LATER_MS = 10 * MINUTE;

let serviceAheadMs = 0;
let machineAheadMs = 0;
let monotonicAheadMs = 0;

function moveOn(ms: number): void {
  serviceAheadMs += ms;
  machineAheadMs += ms;
  monotonicAheadMs += ms;
}

const mail: SendParams = {
  from: { email: 'news@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Welcome',
  text: 'Good to have you here.',
};
const KEY = { idempotencyKey: 'welcome/1' };

type Given = EmailPlatformOptions & { readonly onUnknown?: 'report' | 'resend' };

/** A database, another connection to it, and a service. */
class Scene {
  readonly emulator: Emulator;
  readonly warnings: string[] = [];
  db: Database;
  readonly other: Database;
  readonly #server: Emulator.Server;
  readonly #open: () => Promise<Database>;

  private constructor(
    emulator: Emulator,
    server: Emulator.Server,
    db: Database,
    other: Database,
    open: () => Promise<Database>,
  ) {
    this.emulator = emulator;
    this.#server = server;
    this.db = db;
    this.other = other;
    this.#open = open;
  }

  static async begin(name: DatabaseName, file: string): Promise<Scene> {
    const emulator = createEmulator({ now: () => realNow() + serviceAheadMs, limits: false });
    const server = await emulator.listen();
    const open = async () => {
      const db = await openDatabase(name, file);
      setClock(db, () => realNow() + machineAheadMs);
      // Calls wait for a lock in the journal, not in the database.
      db.exec('PRAGMA busy_timeout = 0');
      return db;
    };
    const scene = new Scene(emulator, server, await open(), await open(), open);
    await sqliteJournal(scene.db).setup();
    return scene;
  }

  async reopen(): Promise<void> {
    this.db = await this.#open();
  }

  client({ onUnknown = 'report', ...options }: Given = {}): EmailPlatform {
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (_: unknown, message?: string) => void this.warnings.push(String(message)),
      error: () => undefined,
    };
    return new EmailPlatform({
      ...this.#server.clientOptions(),
      throttle: false,
      timeoutMs: TIMEOUT_MS,
      journal: sqliteJournal(this.db, { onUnknown }),
      logger,
      logLevel: 'warn',
      ...options,
    });
  }

  posts(): number {
    return this.emulator.requests.filter(({ method }) => method === 'POST').length;
  }

  accepted(): number {
    return this.emulator.messages().length;
  }

  async close(): Promise<void> {
    for (const db of [this.db, this.other]) {
      try {
        db.close();
      } catch {
        // The case has closed it.
      }
    }
    await this.#server.close();
  }
}

/** The outcome of a call for its caller: the result or the error. */
async function seen(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    const { replayed = false } = Object(await call) as { readonly replayed?: boolean };
    return replayed ? 'replayed' : 'sent';
  } catch (error) {
    if (!(error instanceof EmailPlatformError)) throw error;
    return { name: error.name, code: error.code, effect: error.effect, hasCause: error.cause !== undefined };
  }
}

/** An email whose ids take more room than its key. */
const toMany = (index: number) => ({
  to: [
    ...emailAt(index).to,
    ...Array.from({ length: 9 }, (_, nth) => ({ email: `more-${nth}@example.org` })),
  ],
});

async function batchStatuses(
  client: EmailPlatform,
  count: number,
  mailAt: (index: number) => Email = emailAt,
): Promise<Record<string, number>> {
  const mails = Array.from({ length: count }, (_, index) => mailAt(index));
  const counts: Record<string, number> = {};
  for await (const { status, error } of client.sending.batchAll(mails, { base, idempotencyKey: keyOf })) {
    const what = error === undefined ? status : `${status} ${error.code}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

const loseNextAnswer = ({ emulator }: Scene) =>
  emulator.faults.next({ kind: 'reset-after', match: { method: 'POST' } });

/** Sends the email; the service accepts it, and its answer is lost. */
function lostSend(scene: Scene): Promise<unknown> {
  loseNextAnswer(scene);
  return seen(scene.client().sending.send(mail, KEY));
}

/** Sends the email over a TLS handshake that a server ends in this way, and then over connections that stand. */
async function afterHandshake(scene: Scene, end: (socket: Socket) => void, timeoutMs = TIMEOUT_MS) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).once('data', () => end(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hosts = { send: `https://127.0.0.1:${port}` };
  const first = await seen(scene.client({ hosts, timeoutMs, retry: false }).sending.send(mail, KEY));
  for (const socket of sockets) socket.destroy();
  server.close();
  return { first, again: await seen(scene.client().sending.send(mail, KEY)), accepted: scene.accepted() };
}

/** Leaves a database no room for another page. */
const fill = (db: Database) => {
  const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number };
  db.exec(`PRAGMA max_page_count = ${pages}`);
};
const makeRoom = (db: Database) => db.exec('PRAGMA max_page_count = 1000000');

const cases: Record<string, (scene: Scene) => Promise<unknown>> = {
  async 'locked for good when it is claimed'(scene) {
    scene.other.exec('BEGIN IMMEDIATE');
    const first = await seen(scene.client().sending.send(mail, KEY));
    const posts = scene.posts();
    scene.other.exec('COMMIT');
    return {
      first,
      posts,
      again: await seen(scene.client().sending.send(mail, KEY)),
      accepted: scene.accepted(),
    };
  },

  async 'locked for good, where the database waits by itself'(scene) {
    let looks = 0;
    const counted = {
      prepare: (sql: string) => scene.db.prepare(sql),
      exec(sql: string) {
        if (sql.startsWith('BEGIN')) looks += 1;
        return scene.db.exec(sql);
      },
    };
    scene.db.exec('PRAGMA busy_timeout = 200');
    scene.other.exec('BEGIN IMMEDIATE');
    const first = await seen(scene.client({ journal: sqliteJournal(counted) }).sending.send(mail, KEY));
    scene.other.exec('COMMIT');
    // As it waits 5 seconds in all, and not 200 ms as often as it would look otherwise.
    return { first, looksSeldom: looks > 1 && looks < 50, posts: scene.posts() };
  },

  async 'locked for a moment when it is claimed'(scene) {
    scene.other.exec('BEGIN IMMEDIATE');
    setTimeout(() => scene.other.exec('COMMIT'), 300);
    return { first: await seen(scene.client().sending.send(mail, KEY)), accepted: scene.accepted() };
  },

  async 'locked from when it is sent'(scene) {
    const locking = scene.client({ hooks: { onRequest: () => void scene.other.exec('BEGIN IMMEDIATE') } });
    const first = await seen(locking.sending.send(mail, KEY));
    scene.other.exec('COMMIT');
    const soon = await seen(scene.client().sending.send(mail, KEY));
    moveOn(LATER_MS);
    await scene.client().sending.settleUnknown();
    const posts = scene.posts();
    return {
      first,
      soon,
      later: await seen(scene.client().sending.send(mail, KEY)),
      posts,
      warnings: scene.warnings,
    };
  },

  async 'locked when its outcome is recorded, and the call is aborted'(scene) {
    const controller = new AbortController();
    let recorded!: () => void;
    const isRecorded = new Promise<void>((resolve) => (recorded = resolve));
    const aborting = {
      prepare: (sql: string) => scene.db.prepare(sql),
      exec(sql: string) {
        try {
          const result = scene.db.exec(sql);
          if (sql === 'COMMIT' && controller.signal.aborted) recorded();
          return result;
        } catch (error) {
          controller.abort();
          throw error;
        }
      },
    };
    const { sending } = scene.client({
      journal: sqliteJournal(aborting),
      hooks: { onRequest: () => void scene.other.exec('BEGIN IMMEDIATE') },
    });
    const first = await seen(sending.send(mail, { ...KEY, signal: controller.signal }));
    const warnings = [...scene.warnings];
    scene.other.exec('COMMIT');
    // A warning says that the call has waited until the journal gave up.
    if (warnings.length === 0) await isRecorded;
    return {
      first,
      warnings,
      again: await seen(scene.client().sending.send(mail, KEY)),
      posts: scene.posts(),
    };
  },

  'a handshake that breaks': (scene) => afterHandshake(scene, (socket) => socket.destroy()),

  'a handshake that stalls': (scene) => afterHandshake(scene, () => undefined, 1_000),

  async 'full when a batch is claimed'(scene) {
    fill(scene.db);
    const first = await batchStatuses(scene.client(), 1_000);
    const posts = scene.posts();
    makeRoom(scene.db);
    return { first, posts, again: await batchStatuses(scene.client(), 1_000), accepted: scene.accepted() };
  },

  async 'full when the outcome of a batch is recorded'(scene) {
    const filling = scene.client({ hooks: { onRequest: () => fill(scene.db) } });
    const first = await batchStatuses(filling, 500, toMany);
    makeRoom(scene.db);
    const soon = await batchStatuses(scene.client(), 500, toMany);
    moveOn(LATER_MS);
    await scene.client().sending.settleUnknown();
    const later = await batchStatuses(scene.client({ onUnknown: 'resend' }), 500, toMany);
    return { first, soon, later, accepted: scene.accepted(), warnings: scene.warnings };
  },

  async 'closed before it is claimed'(scene) {
    const client = scene.client();
    scene.db.close();
    return { first: await seen(client.sending.send(mail, KEY)), posts: scene.posts() };
  },

  async 'closed when it is sent'(scene) {
    const closing = scene.client({ hooks: { onRequest: () => scene.db.close() } });
    const first = await seen(closing.sending.send(mail, KEY));
    await scene.reopen();
    const soon = await seen(scene.client({ onUnknown: 'resend' }).sending.send(mail, KEY));
    moveOn(LATER_MS);
    const later = await seen(scene.client({ onUnknown: 'resend' }).sending.send(mail, KEY));
    return { first, soon, later, posts: scene.posts(), warnings: scene.warnings };
  },

  async 'a claim that was committed, and whose response was lost'(scene) {
    let isLost = false;
    const losing = {
      prepare: (sql: string) => scene.db.prepare(sql),
      exec(sql: string) {
        const result = scene.db.exec(sql);
        if (sql !== 'COMMIT' || isLost) return result;
        isLost = true;
        throw new Error('the response was lost');
      },
    };
    const { sending } = scene.client({ journal: sqliteJournal(losing) });
    const first = await seen(sending.send(mail, KEY));
    const posts = scene.posts();
    return { first, posts, again: await seen(sending.send(mail, KEY)), accepted: scene.accepted() };
  },

  async 'full when an outcome is recorded, and with room soon after'(scene) {
    const filling = scene.client({ hooks: { onRequest: () => fill(scene.db) } });
    const first = await batchStatuses(filling, 500, toMany);
    makeRoom(scene.db);
    return {
      first,
      soon: await batchStatuses(filling.withOptions({ hooks: {} }), 500, toMany),
      accepted: scene.accepted(),
    };
  },

  async 'the table dropped'(scene) {
    const client = scene.client();
    await client.sending.send(mail, { idempotencyKey: 'welcome/0' });
    const [{ name } = { name: '' }] = scene.other
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'email_platform%'")
      .all() as { name: string }[];
    scene.other.exec(`DROP TABLE ${name}`);
    return { second: await seen(client.sending.send(mail, KEY)), posts: scene.posts() };
  },

  async 'a transaction of the application on the same connection'(scene) {
    scene.db.exec('CREATE TABLE orders (id INTEGER)');
    scene.db.exec('BEGIN; INSERT INTO orders VALUES (1)');
    const first = await seen(scene.client().sending.send(mail, KEY));
    const posts = scene.posts();
    scene.db.exec('INSERT INTO orders VALUES (2); COMMIT');
    const orders = scene.other.prepare('SELECT count(*) AS count FROM orders').get();
    return { first, posts, orders, again: await seen(scene.client().sending.send(mail, KEY)) };
  },

  async 'set up in a transaction that is rolled back'(scene) {
    scene.db.exec('DROP TABLE email_platform_journal_v1');
    const journal = sqliteJournal(scene.db);
    scene.db.exec('BEGIN');
    await journal.setup().catch(() => undefined);
    scene.db.exec('ROLLBACK');
    return { first: await seen(scene.client({ journal }).sending.send(mail, KEY)), posts: scene.posts() };
  },

  async 'the clock of the machine set back after an answer was lost'(scene) {
    const first = await lostSend(scene);
    machineAheadMs -= 60 * MINUTE;
    moveOn(60 * MINUTE + LATER_MS);
    const later = await seen(scene.client({ onUnknown: 'resend' }).sending.send(mail, KEY));
    machineAheadMs = serviceAheadMs;
    return { first, later, accepted: scene.accepted() };
  },

  async 'the clock of the machine ahead when it was claimed, and put right later'(scene) {
    machineAheadMs += 60 * MINUTE;
    const first = await lostSend(scene);
    machineAheadMs = serviceAheadMs;
    moveOn(60 * MINUTE + LATER_MS);
    const later = await seen(scene.client({ onUnknown: 'resend' }).sending.send(mail, KEY));
    return { first, later, accepted: scene.accepted() };
  },

  async 'an email in a sandbox whose answer was lost'(scene) {
    loseNextAnswer(scene);
    const inSandbox = () =>
      scene.client({ onUnknown: 'resend' }).sending.send(mail, { ...KEY, stream: 'sandbox' });
    const first = await seen(inSandbox());
    moveOn(LATER_MS);
    return { first, later: await seen(inSandbox()), accepted: scene.accepted() };
  },

  async 'the process stopped between the claim and the request'(scene) {
    let isLate = true;
    const token = () => {
      // The token is asked for when the key is claimed. The process stands still for as long as another one needs.
      if (isLate) moveOn(LATER_MS);
      isLate = false;
      return scene.emulator.clientOptions().token;
    };
    const first = await seen(scene.client({ token }).sending.send(mail, KEY));
    const posts = scene.posts();
    return {
      first,
      posts,
      again: await seen(scene.client().sending.send(mail, KEY)),
      accepted: scene.accepted(),
    };
  },
};

const tell = (event: TroubleEvent) =>
  new Promise<void>((resolve) => void process.send?.(event, () => resolve()));

setOwnClocks(
  () => machineAheadMs,
  () => monotonicAheadMs,
);
process.once('message', ({ database, folder }: { database: DatabaseName; folder: string }) => {
  void (async () => {
    for (const [index, [name, run]] of Object.entries(cases).entries()) {
      const scene = await Scene.begin(
        database,
        `${folder}/${database.replace(':', '-')}-trouble-${index}.db`,
      );
      const result = await run(scene).catch((error: unknown) => ({ failed: String(error) }));
      await scene.close();
      await tell({ kind: 'case', name, result });
    }
    await tell({ kind: 'over' });
    process.exit();
  })();
});
process.once('disconnect', () => process.exit());
void tell({ kind: 'ready' });
