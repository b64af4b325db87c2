/**
 * Starts the shop beside an emulator of the service, and prints two addresses: the shop's, and that of its emails. No email
 * leaves this machine, and the database is in memory.
 *
 *     npm run example:shop
 */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { sqliteDeliveries, sqliteJournal } from 'email-platform/journal';
import { readTemplates } from 'email-platform/templates';
import { createEmulator } from 'email-platform/testing';
import { createShop } from './app.ts';
import { openDatabase } from './database.ts';
import { createMailer } from './mailer.ts';

const { PORT = '3000', EMULATOR_PORT = '4010', CONTROL_TOKEN } = process.env;
const webhookSecret = randomBytes(16).toString('hex');
const origin = `http://127.0.0.1:${PORT}`;
const emulator = createEmulator({
  templates: await readTemplates(fileURLToPath(new URL('../templates', import.meta.url))),
  // Every event is posted to the shop when it happens.
  webhooks: { forward: { url: `${origin}/hooks/email`, secret: webhookSecret }, flushMs: 0 },
});
const service = await emulator.listen({
  port: Number(EMULATOR_PORT),
  control: CONTROL_TOKEN === undefined ? true : { token: CONTROL_TOKEN },
});

const mailDb = openDatabase(':memory:');
const journal = sqliteJournal(mailDb);
const deliveries = sqliteDeliveries(mailDb, { journal });
const client = createMailer('local', journal, service.clientOptions());
const shop = createShop({ db: openDatabase(':memory:'), client, deliveries, origin, webhookSecret });

serve({ fetch: shop.app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () => {
  console.log(`The shop:   ${origin}/`);
  console.log(`Its emails: ${service.control?.browserUrl() ?? ''}`);
});
