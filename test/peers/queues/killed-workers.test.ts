/**
 * The workers of the guide, as they stand there, in processes of their own. They are killed in the middle of a job; the
 * emulator's record says how often each email was accepted.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { root } from '../../docs/snippets.ts';
import type { Pool } from '../../support/postgres-server.ts';
import { plainEnv } from '../../support/redis/workers.ts';
import { PgBoss, Queue, QueueEvents, type Job } from './peers.mjs';
import { describeWithServers, Servers } from './servers.ts';
import { Service } from './service.ts';
import { inOneFile, nodeForPgBoss, nodeOf, programOf } from './snippets.ts';

const mailTo = (to: string) => ({ from: 'hello@mail.example.com', to, subject: 'Welcome', text: 'Hi.' });

describeWithServers('A worker of the guide', () => {
  let servers: Servers;
  let service: Service;
  let pool: Pool;
  const processes: ChildProcess[] = [];

  beforeAll(async () => {
    servers = await Servers.start();
    pool = servers.postgres.pool();
  });
  afterAll(() => servers.stop());
  beforeEach(async () => {
    service = await Service.start();
    await pool.query('DROP TABLE IF EXISTS email_platform_journal_v1');
    await pool.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => kill(one)));
    await service.close();
  });

  function run(path: string): ChildProcess {
    const env = {
      ...plainEnv(),
      ...service.env,
      REDIS_URL: servers.redis.url,
      DATABASE_URL: servers.postgres.url(),
    };
    // What it prints is shown only if it fails.
    const child = fork(inOneFile(path), {
      execPath: nodeOf(path),
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    processes.push(child);
    return child;
  }

  async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<unknown> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    return ((await exited) as unknown[])[0];
  }

  async function runToItsEnd(path: string): Promise<string> {
    const child = run(path);
    const printed: string[] = [];
    child.stdout?.on('data', (text: Buffer) => printed.push(text.toString()));
    child.stderr?.on('data', (text: Buffer) => printed.push(text.toString()));
    await once(child, 'close');
    return printed.join('').trim();
  }

  /** Moves everything that a database remembers an hour into the past. */
  async function letAnHourPass(): Promise<void> {
    const back = (...names: string[]) =>
      names.map((name) => `${name} = ${name} - interval '1 hour'`).join(', ');
    await pool.query(
      `UPDATE email_platform_journal_v1 SET ${back('claimed_at', 'lease_ends_at', 'changed_at')}`,
    );
    const { rows } = await pool.query(`SELECT to_regclass('pgboss.job') IS NOT NULL AS has_jobs`);
    if ((rows[0] as { readonly has_jobs: boolean }).has_jobs)
      await pool.query(`UPDATE pgboss.job SET ${back('started_on', 'start_after')}`);
  }

  describe('of BullMQ', () => {
    /** The worker, of a queue; a job counts as stalled soon, only so that the tests need not wait for half a minute. */
    const workerOf = (name: string) => {
      const path = programOf('bullmq', 'worker.ts').replace('.ts', `-quick-${name}.ts`);
      const settings = 'maxStalledCount: 100';
      const program = readFileSync(programOf('bullmq', 'worker.ts'), 'utf8')
        .replace(settings, `${settings}, lockDuration: 500, stalledInterval: 500`)
        .replace(`'emails'`, `'${name}'`);
      writeFileSync(path, program);
      return path;
    };
    const path = workerOf('emails');

    let redis: Redis;
    let queue: Queue;
    let events: QueueEvents;
    beforeEach(async () => {
      redis = servers.redis.client();
      await redis.flushall();
      queue = new Queue('emails', { connection: redis });
      // Of its own: it waits for events on it, which blocks.
      events = new QueueEvents('emails', { connection: { host: '127.0.0.1', port: servers.redis.port } });
      await events.waitUntilReady();
    });
    afterEach(async () => {
      await Promise.all([events.close(), queue.close()]);
      redis.disconnect();
    });

    const add = (id: string) => queue.add('welcome', mailTo('ann@example.org'), { jobId: id, attempts: 3 });
    /** The reason is undefined if a job was completed. */
    const ended = (job: Job) =>
      job.waitUntilFinished(events).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      );

    test.each([
      { acts: true, what: 'the email is found in the log, and the job is completed' },
      { acts: false, what: 'the email is not in the log, and the job is parked' },
    ])('killed while it waits for the answer: $what', async ({ acts }) => {
      const keptBack = service.keepBackNext({ acts });
      const first = run(path);
      const job = await add(`killed/${acts}`);
      await keptBack;
      await kill(first);

      // Another worker gets the job, whose key is claimed.
      const delayed = once(events, 'delayed');
      run(path);
      await delayed;
      await letAnHourPass();
      const end = ended(job);
      await job.promote();

      expect(await end).toEqual(acts ? undefined : expect.stringMatching(/^unknown: /));
      expect([...service.accepted()]).toEqual(acts ? [[`emails/${job.id}`, 1]] : []);
    });

    test('killed, of two queues that count their jobs: each email is sent, and none twice', async () => {
      const others = new Queue('reminders', { connection: redis });
      const connection = { host: '127.0.0.1', port: servers.redis.port };
      const ofOthers = new QueueEvents('reminders', { connection });
      await ofOthers.waitUntilReady();
      const paths = [path, workerOf('reminders')];
      const keptBack = service.keepBackNext({ acts: true });
      const first = await queue.add('welcome', mailTo('ann@example.org'), { attempts: 3 });
      const worker = run(path);
      await keptBack;
      await kill(worker);
      const second = await others.add('welcome', mailTo('ann@example.org'), { attempts: 3 });
      expect([first.id, second.id]).toEqual(['1', '1']);

      const delayed = once(events, 'delayed');
      for (const one of paths) run(one);
      await delayed;
      expect(await second.waitUntilFinished(ofOthers)).toHaveLength(1);
      await letAnHourPass();
      const end = ended(first);
      await first.promote();
      expect(await end).toBeUndefined();
      expect([...service.accepted()].sort()).toEqual([
        ['emails/1', 1],
        ['reminders/1', 1],
      ]);
      await Promise.all([ofOthers.close(), others.close()]);
    });

    test('parked when an answer is lost; settled, it is completed without another email', async () => {
      service.loseNext();
      const worker = run(path);
      const job = await add('lost/1');
      expect(await ended(job)).toMatch(/^unknown: /);

      const completed = once(events, 'completed');
      expect(await runToItsEnd(programOf('bullmq', 'settle.ts'))).toBe('0 emails are unknown');
      await completed;
      expect([...service.accepted()]).toEqual([['emails/lost/1', 1]]);
      expect(await kill(worker, 'SIGTERM')).toBe(0);
    });

    test('fails a job whose email is wrong, at the first attempt', async () => {
      run(path);
      const job = await queue.add('welcome', mailTo('nobody'), { jobId: 'wrong/1', attempts: 3 });
      expect(await ended(job)).toMatch(/^none: /);
      expect(service.emulator.requests.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(
        1,
      );
    });
  });

  describe.skipIf(nodeForPgBoss === undefined)('of pg-boss', () => {
    let boss: PgBoss;
    beforeEach(async () => {
      boss = new PgBoss({ connectionString: servers.postgres.url(), schedule: false });
      boss.on('error', () => undefined);
      await boss.start();
      await boss.createQueue('emails', {
        retryLimit: 100,
        retryDelay: 30,
        expireInSeconds: 120,
      });
    });
    afterEach(() => boss.stop({ graceful: false }));

    const addJobs = async (count: number) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => {
          return (await boss.send('emails', mailTo(`reader${index}@example.org`))) ?? '';
        }),
      );
    const states = async (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await boss.getJobById('emails', id))?.state));
    const untilAll = (ids: readonly string[], state: string) =>
      vi.waitFor(async () => expect(new Set(await states(ids))).toEqual(new Set([state])), {
        timeout: 60_000,
        interval: 200,
      });

    test.each([
      { acts: true, end: 'completed' },
      { acts: false, end: 'cancelled' },
    ])('killed while it waits for the answer, the service acts: $acts', async ({ acts, end }) => {
      const keptBack = service.keepBackNext({ acts });
      const ids = await addJobs(3);
      const first = run(programOf('pg-boss', 'worker.ts'));
      await keptBack;
      await kill(first);
      expect(new Set(await states(ids))).toEqual(new Set(['active']));

      await letAnHourPass();
      await boss.supervise('emails');
      await letAnHourPass();
      run(programOf('pg-boss', 'worker.ts'));
      await untilAll(ids, end);
      expect([...service.accepted()].sort()).toEqual(acts ? ids.map((id) => [id, 1]).sort() : []);
    });

    test('parked when an answer is lost; settled, it is completed without another email', async () => {
      service.loseNext();
      const ids = await addJobs(3);
      const worker = run(programOf('pg-boss', 'worker.ts'));
      await untilAll(ids, 'cancelled');
      expect(await runToItsEnd(programOf('pg-boss', 'settle.ts'))).toBe('0 emails are unknown');
      await untilAll(ids, 'completed');
      expect([...service.accepted()].sort()).toEqual(ids.map((id) => [id, 1]).sort());
      expect(await kill(worker, 'SIGTERM')).toBe(0);
    });
  });
});
