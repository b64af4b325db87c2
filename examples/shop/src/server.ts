/**
 * Starts the shop in a deployment. The environment has SHOP_ORIGIN, SHOP_STAGE, WEBHOOK_SECRET, and the variables of the
 * client, such as EMAIL_PLATFORM_TOKEN. A deployment is staging until SHOP_STAGE says that it is production.
 *
 *     node --env-file=.env --import tsx src/server.ts
 */
import { serve } from '@hono/node-server';
import { sqliteDeliveries, sqliteJournal } from 'email-platform/journal';
import { createShop } from './app.ts';
import { openDatabase } from './database.ts';
import { createMailer } from './mailer.ts';

/** @throws `Error` for a variable that is missing */
function variable(name: string): string {
  const { [name]: value = '' } = process.env;
  if (value === '') throw new Error(`Set ${name}: the shop cannot start without it.`);
  return value;
}

// The journal and the deliveries have a connection of their own: a claim is committed by itself.
const mailDb = openDatabase('shop.db');
const journal = sqliteJournal(mailDb);
const deliveries = sqliteDeliveries(mailDb, { journal });
const client = createMailer(process.env.SHOP_STAGE === 'production' ? 'production' : 'staging', journal);
const shop = createShop({
  db: openDatabase('shop.db'),
  client,
  deliveries,
  origin: variable('SHOP_ORIGIN'),
  webhookSecret: variable('WEBHOOK_SECRET'),
});

serve({ fetch: shop.app.fetch, port: Number(process.env.PORT ?? 3000) });

// Also at the start: the process before this one may have ended between an order and its receipt.
const sendDue = () => shop.receipts.sendDue().catch((error: unknown) => console.error(error));
void sendDue();
setInterval(() => void sendDue(), 60_000);
