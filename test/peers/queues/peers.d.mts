/** What the tests use of the packages. */
import type { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import type { Pool as PostgresPool } from '../../support/postgres-server.ts';

type Connection = Redis | { readonly host: string; readonly port: number };

export interface Job {
  readonly id?: string;
  waitUntilFinished(events: QueueEvents): Promise<unknown>;
  promote(): Promise<void>;
}
export class Queue {
  constructor(name: string, options: { readonly connection: Connection });
  add(
    name: string,
    data: unknown,
    options: { readonly jobId?: string; readonly attempts: number },
  ): Promise<Job>;
  close(): Promise<void>;
}
export class QueueEvents extends EventEmitter {
  constructor(name: string, options: { readonly connection: Connection });
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

export class PgBoss {
  constructor(options: { readonly connectionString: string; readonly schedule: boolean });
  on(event: 'error', listener: () => void): void;
  start(): Promise<unknown>;
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: unknown): Promise<string | null>;
  getJobById(name: string, id: string): Promise<{ readonly state: string } | null>;
  supervise(name: string): Promise<void>;
  stop(options: { readonly graceful: boolean }): Promise<unknown>;
}

export const Pool: new (options: { readonly connectionString: string; readonly max: number }) => PostgresPool;
