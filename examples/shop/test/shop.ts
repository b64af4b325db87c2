/** The shop in the process of its tests: with a database in memory, beside an emulator that posts events to it. */
import { fileURLToPath } from 'node:url';
import { sqliteDeliveries, sqliteJournal } from 'email-platform/journal';
import { readTemplates } from 'email-platform/templates';
import { createEmulator, mailbox } from 'email-platform/testing';
import { onTestFinished } from 'vitest';
import { createShop, type Shop } from '../src/app.ts';
import { openDatabase } from '../src/database.ts';
import { createMailer, type Stage } from '../src/mailer.ts';

const ORIGIN = 'https://shop.example.com';
const webhookSecret = 'b1946ac92492d2347c6235b4d2611184';
const templates = await readTemplates(fileURLToPath(new URL('../templates', import.meta.url)));

/** A person at the shop. Each has cookies of their own. */
function visitorOf({ app }: Shop) {
  let cookie = '';
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await app.request(`${ORIGIN}${path}`, { ...init, headers: { cookie, origin: ORIGIN } });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
  return {
    get: (path: string) => request(path),
    post: (path: string, form: Record<string, string>) =>
      request(path, { method: 'POST', body: new URLSearchParams(form) }),
  };
}

/** Starts a shop. */
export function startShop(stage: Stage = 'local') {
  const emulator = createEmulator({
    templates,
    webhooks: {
      forward: { url: `${ORIGIN}/hooks/email`, secret: webhookSecret },
      receive: (request) => shop.app.fetch(request),
      flushMs: 0,
    },
  });
  // A file for each shop: `email-platform report` joins them, and compares them with those of another branch.
  const { REPORTS } = process.env;
  if (REPORTS !== undefined)
    onTestFinished(async () => void (await emulator.report(`${REPORTS}/${crypto.randomUUID()}.html`)));
  const db = openDatabase(':memory:');
  const mailDb = openDatabase(':memory:');
  const journal = sqliteJournal(mailDb);
  const deliveries = sqliteDeliveries(mailDb, { journal });
  const client = createMailer(stage, journal, emulator.clientOptions());
  const shop = createShop({
    db,
    client,
    deliveries,
    origin: ORIGIN,
    webhookSecret,
    now: () => emulator.clock.now(),
  });
  const box = mailbox(emulator);

  return {
    ...shop,
    db,
    emulator,
    journal,
    deliveries,
    box,
    visitor: () => visitorOf(shop),
    /** Resolves with a visitor who has signed up. */
    signedUp: async (email: string) => {
      const visitor = visitorOf(shop);
      const { headers } = await visitor.post('/sign-ups', { id: crypto.randomUUID(), email });
      const mail = await box.waitFor({ to: email });
      await visitor.post(headers.get('location') ?? '', { code: mail.code() });
      return visitor;
    },
    /** Lets the service deliver its emails. Resolves when the shop has their events. */
    deliver: async (ms = 5_000) => {
      emulator.clock.advance(ms);
      await emulator.webhooks.settled();
    },
  };
}
