/** The routes of the shop. */
import type { EmailPlatform } from 'email-platform';
import type { Deliveries } from 'email-platform/journal';
import { readOneClick } from 'email-platform/webhooks';
import { Hono, type Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import type { Db } from './database.ts';
import { createMails, receiptKey } from './mails.ts';
import { createNews, type News } from './news.ts';
import { createOrders, PRICES } from './orders.ts';
import { codePage, messagePage, orderPage, shopPage, signUpPage, unsubscribePage } from './pages.ts';
import { createReceipts, type Receipts } from './receipts.ts';
import { createSignUps } from './sign-ups.ts';
import { webhooks } from './webhooks.ts';

/** The parts that a deployment gives the shop. */
export interface ShopOptions {
  readonly db: Db;
  /** Sends the emails. */
  readonly client: EmailPlatform;
  /** What happened to its emails, with the journal of `client`. */
  readonly deliveries: Deliveries;
  /** The shop's own origin, such as `https://shop.example.com`. */
  readonly origin: string;
  /** The signing secret of the webhook. */
  readonly webhookSecret: string;
  /** Returns milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

/** A shop. */
export interface Shop {
  readonly app: Hono;
  readonly receipts: Receipts;
  readonly news: News;
}

/** Reads the form of a request. Returns the text of a field; empty if it is missing or a file. */
async function formOf(context: Context): Promise<(name: string) => string> {
  const fields = await context.req.parseBody();
  return (name) => {
    const { [name]: value } = fields;
    return typeof value === 'string' ? value.trim() : '';
  };
}

/** Makes the shop. It begins nothing by itself. */
export function createShop({
  db,
  client,
  deliveries,
  origin,
  webhookSecret,
  now = Date.now,
}: ShopOptions): Shop {
  const signUps = createSignUps(db, now);
  const orders = createOrders(db);
  const mails = createMails(client, origin);
  const receipts = createReceipts(orders, mails);
  const news = createNews(db, client, origin);
  const emailOf = (context: Context) => signUps.emailOf(getCookie(context, 'session'));

  const app = new Hono();
  app.route('/hooks/email', webhooks(deliveries, webhookSecret));
  // Before the protection against foreign forms: a provider posts the click, without cookies. A scanner's GET only reads.
  app.get('/unsubscribe', (context) => context.html(unsubscribePage()));
  app.post('/unsubscribe', async (context) => {
    if (!(await readOneClick(context.req.raw)))
      return context.html(messagePage('This request is not complete.'), 400);
    news.unsubscribe(context.req.query('token') ?? '');
    return context.html(messagePage('You get no more news.'));
  });
  app.use(csrf());

  app.get('/', (context) => {
    const email = emailOf(context);
    return context.html(email === undefined ? signUpPage() : shopPage(email));
  });

  app.post('/sign-ups', async (context) => {
    const field = await formOf(context);
    const signUp = signUps.start(field('id'), field('email'));
    await mails.signUpCode(signUp);
    return context.redirect(`/sign-ups/${signUp.id}`, 303);
  });

  app.get('/sign-ups/:id', (context) => context.html(codePage(context.req.param('id'))));

  app.post('/sign-ups/:id', async (context) => {
    const field = await formOf(context);
    const session = signUps.confirm(context.req.param('id'), field('code'));
    if (session === undefined)
      return context.html(codePage(context.req.param('id'), 'The code is wrong or too old.'), 422);
    setCookie(context, 'session', session, {
      httpOnly: true,
      sameSite: 'Lax',
      secure: origin.startsWith('https:'),
    });
    return context.redirect('/', 303);
  });

  app.post('/news', (context) => {
    const email = emailOf(context);
    if (email !== undefined) news.subscribe(email);
    return context.redirect('/', 303);
  });

  app.post('/orders', async (context) => {
    const email = emailOf(context);
    if (email === undefined) return context.redirect('/', 303);
    const field = await formOf(context);
    const [id, product, quantity] = [field('id'), field('product'), Number(field('quantity'))];
    const price = PRICES.get(product);
    if (id === '' || price === undefined || !(Number.isInteger(quantity) && quantity > 0 && quantity < 100))
      return context.html(messagePage('This order is not complete.'), 422);
    const order = orders.place({ id, email, product, quantity, cents: price * quantity });
    if (order?.receipt === 'due') await receipts.send(order);
    return context.redirect(`/orders/${id}`, 303);
  });

  app.get('/orders/:id', async (context) => {
    const order = orders.get(context.req.param('id'));
    if (order === undefined || order.email !== emailOf(context))
      return context.html(messagePage('There is no such order.'), 404);
    const [receipt] = await deliveries.of({ key: receiptKey(order.id) });
    return context.html(orderPage(order, receipt));
  });

  app.onError((error, context) => {
    console.error(error);
    return context.html(messagePage('That did not work. Please try again.'), 500);
  });

  return { app, receipts, news };
}
