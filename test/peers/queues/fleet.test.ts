/**
 * The promise of a journal in Postgres, for a fleet: eight processes with one journal and one limit send the same emails,
 * one of them is killed every two seconds, and Redis and Postgres each crash once.
 * `FLEET_EMAILS=20000 TEST_SEED=1` is the proof in full.
 */
import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEED } from '../../support/extent.ts';
import { random } from '../../support/random.ts';
import { plainEnv } from '../../support/redis/workers.ts';
import { AT_ONCE, keyAt, type Counts, type FleetOrder, type FleetReport } from './fleet-messages.ts';
import { describeWithServers, Servers } from './servers.ts';
import { Service } from './service.ts';

const COUNT = Number(process.env.FLEET_EMAILS ?? 4_000);
const PROCESSES = 8;
/** So long does an answer take that most processes die between what the service did and its answer. */
const LATENCY_MS = 300;
/** Each process sends its own part of the input, and then that of the next. */
const PART = COUNT / PROCESSES;
const KILL_EVERY_MS = 2_000;
/** Shorter windows than the published ones, so that it does not take minutes. */
const LIMIT = { requests: 20, perMs: 1_000 };
/** In one file, so that a process that replaces another begins soon. */
const program = `${import.meta.dirname}/.tmp/fleet-sender.mjs`;

describeWithServers(`${PROCESSES} processes send ${COUNT} emails`, () => {
  let servers: Servers;
  let service: Service;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    await build({
      entryPoints: [`${import.meta.dirname}/programs/fleet-sender.ts`],
      outfile: program,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    servers = await Servers.start();
    service = await Service.start(
      { limits: { token: LIMIT, emailLogsList: false }, window: 'sliding', logs: { pageSize: 1000 } },
      LATENCY_MS,
    );
  });
  afterAll(async () => {
    await Promise.all([...running].map(kill));
    await service.close();
    await servers.stop();
  });

  function start(from: number, take: number, onUnknown: FleetOrder['onUnknown'] = 'report'): ChildProcess {
    const child = fork(program, {
      env: { ...plainEnv(), ...service.env },
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.send({
      count: COUNT,
      from,
      take,
      redisUrl: servers.redis.url,
      databaseUrl: servers.postgres.url(),
      limit: LIMIT,
      processes: PROCESSES,
      onUnknown,
    } satisfies FleetOrder);
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** What it has counted when it has sent its parts; undefined if it was killed before. */
  async function countsOf(child: ChildProcess, onBegun?: () => void): Promise<Counts | undefined> {
    const counts = await new Promise<Counts | undefined>((resolve, reject) => {
      child.once('exit', () => resolve(undefined));
      child.on('message', (report: FleetReport) => {
        if (report.kind === 'begun') onBegun?.();
        else if (report.kind === 'over') resolve(report.counts);
        else reject(new Error(report.error));
      });
    });
    if (running.has(child)) await kill(child);
    return counts;
  }

  /** Sends the input in one process that nobody kills. */
  const sendAlone = (onUnknown?: FleetOrder['onUnknown']) => countsOf(start(0, COUNT, onUnknown));

  const acceptedTwice = () => [...service.accepted()].filter(([, times]) => times !== 1);

  test('one is killed every two seconds, Redis and Postgres crash once: each person gets one email', async () => {
    const seed = SEED ?? Math.floor(Math.random() * 1_000_000);
    const draw = random(seed);
    const startedAt = performance.now();
    let kills = 0;

    // A process that was killed is replaced. Nobody is killed any more once one has sent its parts.
    const sending = new Set<ChildProcess>();
    const sendUntilOver = async (from: number): Promise<Counts> => {
      for (;;) {
        const child = start(from, 2 * PART);
        const counts = await countsOf(child, () => sending.add(child));
        sending.delete(child);
        if (counts === undefined) continue;
        clearInterval(killer);
        return counts;
      }
    };
    const killer = setInterval(() => {
      const victim = [...sending][Math.floor(draw() * sending.size)];
      if (victim?.kill('SIGKILL')) kills += 1;
    }, KILL_EVERY_MS);
    const calls = COUNT / AT_ONCE;
    const crashes = [
      service.whenPosts(calls * 0.25).then(async () => {
        await servers.redis.stop();
        await servers.redis.start();
      }),
      service.whenPosts(calls * 0.6).then(async () => {
        await servers.postgres.crash();
        await servers.postgres.start();
      }),
    ];
    const fleet = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => sendUntilOver(PART * index)),
    ).finally(() => clearInterval(killer));
    await Promise.all(crashes);
    const tookMs = Math.round(performance.now() - startedAt);

    expect(acceptedTwice()).toEqual([]);
    const sentByFleet = service.accepted().size;

    // Every email is accounted for: accepted, or reported.
    const reported = (await sendAlone()) ?? {};
    expect(acceptedTwice()).toEqual([]);

    // After the leases, a process settles what the log knows, and sends the rest.
    await servers.postgres
      .pool()
      .query(
        `UPDATE email_platform_journal_v1 SET ${['claimed_at', 'lease_ends_at', 'changed_at'].map((name) => `${name} = ${name} - interval '1 hour'`).join(', ')}`,
      );
    const settled = (await sendAlone('resend')) ?? {};
    const figures = {
      seed,
      count: COUNT,
      kills,
      tookMs,
      fleet,
      sentByFleet,
      reported,
      settled,
      refused: service.refused,
      posts: service.posts,
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);

    expect(Object.keys(reported).filter((what) => !ALLOWED.includes(what))).toEqual([]);
    expect(Object.values(reported).reduce((sum, some) => sum + some, 0)).toBe(COUNT);
    expect(acceptedTwice()).toEqual([]);
    expect([...service.accepted().keys()].sort()).toEqual(
      Array.from({ length: COUNT }, (_, index) => keyAt(index)).sort(),
    );
    expect(Object.keys(settled).filter((what) => !['accepted', 'replayed'].includes(what))).toEqual([]);
    // A process that starts right after Redis has lost its data may not know yet what is out: at most one limit.
    expect(service.refused).toBeLessThanOrEqual(LIMIT.requests);
    // Otherwise it would prove nothing.
    expect(kills).toBeGreaterThan(0);
    expect(service.posts).toBeGreaterThanOrEqual(calls);
  }, 600_000);
});

const ALLOWED = ['accepted', 'replayed', 'unknown in_progress', 'unknown unknown'];
