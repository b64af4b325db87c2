// A program as there are many: the mails of a shop, sent with nodemailer. A test moves it to the service.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { htmlToText } from 'nodemailer-html-to-text';
import handlebars from 'nodemailer-express-handlebars';

const files = process.env.SHOP_FILES;
const SHOP = { name: 'The Gardeners, Ltd.', address: 'shop@mail.example.com' };
const LOGO = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64');

const transporter = nodemailer.createTransport(process.env.SMTP_URL, {
  from: SHOP,
  headers: { 'X-Shop': 'garden' },
});

const viewEngine = { partialsDir: files, layoutsDir: files, defaultLayout: '' };
const render = handlebars({ viewEngine, viewPath: files });
transporter.use('compile', (mail, done) => (mail.data.template ? render(mail, done) : done()));
transporter.use('compile', htmlToText());

/** A new customer: a template of the shop's own, with text made of it. */
export const welcome = (customer) =>
  transporter.sendMail({
    to: customer,
    subject: `Welcome, ${customer.name}`,
    template: 'welcome',
    context: { name: customer.name },
  });

/** An order: with the logo in the page, the terms as a file, an invoice, and a copy for the books. */
export const confirm = (customer, order) =>
  transporter.sendMail({
    to: [customer, 'Orders <orders@mail.example.com>'],
    cc: order.partner,
    bcc: 'books@mail.example.com',
    replyTo: ['orders@mail.example.com', 'Jürgen <juergen@mail.example.com>'],
    subject: `Bestellung ${order.number}: Samen für den Frühling`,
    text: `Vielen Dank!\nIhre Bestellung ${order.number} ist unterwegs.\n`,
    html: `<p>Vielen Dank!</p><p>Ihre Bestellung ${order.number} ist unterwegs.</p><img src="cid:logo@shop">`,
    attachments: [
      { filename: 'logo.png', content: LOGO, cid: 'logo@shop' },
      { path: join(files, 'terms.txt') },
      {
        filename: 'Rechnung für Sie.pdf',
        content: Buffer.from('%PDF-1.4 …'),
        contentType: 'application/pdf',
      },
      { filename: 'order.json', content: JSON.stringify(order) },
      { filename: 'again.txt', content: createReadStream(join(files, 'terms.txt')) },
      { filename: 'hello.txt', path: 'data:text/plain;base64,SGVsbG8=' },
    ],
  });

/** A newsletter: one mail to each reader, with a way to end it. */
export const newsletter = (readers, subject, html) =>
  Promise.all(
    readers.map((to) =>
      transporter.sendMail({
        to,
        subject,
        html,
        list: {
          unsubscribe: [`https://shop.example.com/leave?${encodeURIComponent(to)}`, 'leave@mail.example.com'],
          help: { url: 'https://shop.example.com/help', comment: 'Help' },
        },
        headers: { 'X-Campaign': 'spring', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      }),
    ),
  );

/** An answer to a question, which mail programs show below it. */
export const answer = (question, text) =>
  transporter.sendMail({
    from: 'Ben <ben@mail.example.com>',
    to: question.from,
    subject: `Re: ${question.subject}`,
    text,
    inReplyTo: question.id,
    references: [...question.references, question.id],
  });

/** An alert for those who are on duty. */
export const alert = (text) =>
  transporter.sendMail({
    to: 'On duty: ann@example.org, Ben <ben@example.org>;',
    subject: 'The greenhouse is cold',
    text,
    priority: 'high',
    xMailer: 'Greenhouse 2',
    envelope: { from: SHOP.address, to: ['ann@example.org', 'ben@example.org'] },
  });

await transporter.verify();
const ann = { name: 'Ann Ö’Hara', address: 'ann@example.org' };
const results = [
  await welcome(ann),
  await confirm(ann, { number: 12, partner: 'Cleo <cleo@example.org>' }),
  ...(await newsletter(
    ['dan@example.org', 'eve@example.org'],
    'Spring',
    '<p>The <b>seeds</b> are here.</p>',
  )),
  await answer(
    { from: 'fay@example.org', subject: 'Seeds?', id: '<q2@example.org>', references: ['<q1@example.org>'] },
    'Yes.',
  ),
  await alert('2 °C — and falling.\n'),
];
for (const { accepted, rejected, envelope } of results) {
  if (rejected.length > 0) throw new Error(`${envelope.from}: ${rejected.join()}`);
  console.log(`${accepted.length} accepted`);
}
transporter.close();
