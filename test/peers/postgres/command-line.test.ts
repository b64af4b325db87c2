import { postgresDeliveries, postgresJournal } from 'email-platform/journal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journalCommand, testDeliveriesCommand, testJournalCommand } from '../../support/journal-command.ts';
import { closedPort } from '../../support/ports.ts';
import { missingPostgres, PostgresServer } from '../../support/postgres-server.ts';

const how = { cwd: import.meta.dirname };

describe.skipIf(missingPostgres() !== undefined)('email-platform journal --postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create();
  });
  afterAll(async () => server.close());

  test('shows and settles, but creates no table', async () => {
    const place = ['--postgres', server.url()];
    const none = { code: 1, out: '', err: 'There is no journal in this database: check its address\n' };
    expect(await journalCommand(['status', ...place], how)).toEqual(none);
    expect(await journalCommand(['settle', ...place], how)).toEqual(none);
    await testJournalCommand(postgresJournal(server.pool()), place, how);
  });

  test('shows deliveries, also those of a schema', async () => {
    const place = ['--postgres', server.url()];
    expect(await journalCommand(['deliveries', '--key', 'a', ...place], how)).toEqual({
      code: 1,
      out: '',
      err: 'There are no deliveries in this database: check its address\n',
    });
    const pool = server.pool();
    await pool.query('CREATE SCHEMA support');
    const deliveries = postgresDeliveries(pool, { schema: 'support' });
    await deliveries.setup();
    await testDeliveriesCommand(deliveries, [...place, '--schema', 'support'], how);
  });

  test('finds a journal in a schema that was named, and says where another one is', async () => {
    const pool = server.pool();
    await pool.query('CREATE SCHEMA shop');
    await pool.query('DROP TABLE IF EXISTS email_platform_journal_v1');
    await postgresJournal(pool, { schema: 'shop' }).setup();
    const place = ['--postgres', server.url()];
    const { code, err } = await journalCommand(['status', ...place], how);
    expect(code).toBe(1);
    expect(err).toContain(
      'the schema "shop" has a journal, and this connection would use the schema "public"',
    );
    const named = await journalCommand(['status', ...place, '--schema', 'shop'], how);
    expect(named).toMatchObject({ code: 0, out: 'No key is open in the namespace "default".\n' });
    const none = await journalCommand(['status', ...place, '--schema', 'nowhere'], how);
    expect(none.err).toBe('There is no journal in this database: check its address\n');
  });

  test('gives the reason for a missing connection, without the address', async () => {
    const url = `postgres://me:secret@127.0.0.1:${await closedPort()}/mail`;
    const { code, out, err } = await journalCommand(['status', '--postgres', url], how);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('ECONNREFUSED');
    expect(err).not.toContain('secret');
    const wrong = await journalCommand(['status', '--postgres', 'postgres://me:secret@[/mail'], how);
    expect(wrong.code).toBe(1);
    expect(wrong.err).not.toContain('secret');
  });
});
