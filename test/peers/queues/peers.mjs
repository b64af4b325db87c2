// The packages of this folder, for tests in TypeScript: they are compiled also where the folder is not installed.
export { Queue, QueueEvents } from 'bullmq';
export { Pool } from 'pg';
export { PgBoss } from 'pg-boss';
