/** A program with seven emails, whose runs differ in everything that a seed, a date and a port decide. */
import { EmailPlatform } from 'email-platform';
import { readTemplates } from 'email-platform/templates';
import { createEmulator } from 'email-platform/testing';
import { fileURLToPath } from 'node:url';
import { late } from '../../../../src/kit/late.ts';
import { newFile } from '../report-data.ts';

const TEMPLATES = fileURLToPath(new URL('../../../../examples/shop/templates', import.meta.url));
const templatesOfShop = late(() => readTemplates(TEMPLATES));

/** Numbers that look random, and are the same for each seed. */
export function randomOf(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    of: <One>(all: readonly One[]) => all[below(all.length)] as One,
    text: (length: number, letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-') =>
      Array.from({ length }, () => letters.charAt(below(letters.length))).join(''),
  };
}

const NAMES = ['Ann', 'Ben Okafor', 'Zoë', 'Mary Ann Lee', 'Øyvind', 'Jo', 'O’Brien', 'Ann-Marie'];
const PRODUCTS = ['Tomato seeds', 'Trowel', 'A very long hose of green rubber', 'Seeds', 'Rake & hoe'];

/** Changes a template's file, or a literal of the program: `from` becomes `to` in everything that it sends. */
export type Edit = (text: string) => string;
const unchanged: Edit = (text) => text;

/** Runs the program once. Resolves with the file of its report. */
export async function runOf(seed: number, edit: Edit = unchanged, repeated = 5): Promise<string> {
  const random = randomOf(seed);
  const day = Date.UTC(2024, random.below(36), 1 + random.below(28), random.below(24), random.below(60));
  const now = new Date(day);
  const port = 1_024 + random.below(60_000);
  const templates = await templatesOfShop();
  const emulator = createEmulator({
    now: () => day,
    templates: JSON.parse(edit(JSON.stringify(templates))) as typeof templates,
  });
  const client = new EmailPlatform(emulator.clientOptions());
  const send = async (mail: object) => {
    const edited = JSON.parse(edit(JSON.stringify(mail))) as Parameters<typeof client.sending.send>[0];
    await client.sending.send(edited);
  };
  const mails: (() => Promise<void>)[] = [];
  for (let time = 0; time < repeated; time += 1) {
    const name = random.of(NAMES);
    const to = { email: `${random.text(8, 'abcdefgh')}@example.org`, name };
    const from = { email: 'shop@mail.example.com', name: 'The Gardeners' };
    const order = `order-${random.below(10_000)}`;
    const site = `http://127.0.0.1:${port}`;
    for (const { name: template, uuid } of templates) {
      const product = random.of(PRODUCTS);
      const template_variables =
        template === 'Receipt'
          ? {
              product,
              quantity: 1 + random.below(9),
              total: `${random.below(50)}.${10 + random.below(90)} €`,
              url: `${site}/orders/${order}`,
            }
          : { code: String(100_000 + random.below(900_000)), minutes: 10 };
      mails.push(() => send({ from, to: [to], template_uuid: uuid, template_variables }));
    }
    const token = random.text(43);
    mails.push(() =>
      send({
        from,
        to: [to],
        subject: `Welcome, ${name}!`,
        text: `Hello ${name},\n\nyour account is ready since ${now.toISOString()}.\nConfirm it: ${site}/confirm?token=${token}\n\nThe Gardeners`,
        html: `<style>.button { color: #ffffff; padding: 12px }</style><h1 style="font-size:24px">Hello ${name.replace('&', '&amp;')},</h1>\n<p>your account is ready since ${now.toLocaleDateString('en', { dateStyle: 'long' })}.</p>\n<p><a class="button" href="${site}/confirm?token=${token}">Confirm it</a></p>\n<p>Kind regards<br>The Gardeners</p><img src="cid:logo" alt="Logo" width="120">`,
        attachments: [
          {
            filename: 'logo.png',
            type: 'image/png',
            content: 'iVBORw0KGgo=',
            disposition: 'inline',
            content_id: 'logo',
          },
        ],
      }),
    );
    mails.push(() =>
      send({
        from,
        to: [to],
        category: 'reset',
        subject: 'Reset your password',
        text: `Somebody asked for a new password on ${now.toLocaleDateString('de', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })} at ${now.toLocaleTimeString('en')}.\n\nIt is valid for 24 hours: https://shop.example.com/reset/${random.text(32)}`,
      }),
    );
    const rows = Array.from({ length: 1 + random.below(4) }, () => random.of(PRODUCTS));
    mails.push(() =>
      send({
        from,
        reply_to: { email: 'help@shop.example.com', name: 'Help' },
        to: [to],
        category: 'invoice',
        subject: `Invoice ${order} of ${now.toISOString().slice(0, 10)}`,
        html: `<p>Dear ${name},</p><table>${rows.map((row, index) => `<tr><td>${index + 1}</td><td>${row}</td></tr>`).join('')}</table><p>Please pay within 14 days.</p><p>© ${now.getUTCFullYear()} The Gardeners, 1 Long Lane</p>`,
        attachments: [
          {
            filename: `invoice-${order}.pdf`,
            type: 'application/pdf',
            content: btoa(random.text(30 + random.below(40))),
          },
        ],
        headers: {
          'List-Unsubscribe': `<https://shop.example.com/leave/${random.text(24)}>`,
          'X-Team': 'billing',
        },
      }),
    );
  }
  while (mails.length > 0) {
    const wave = mails.splice(0, 4);
    await Promise.all(wave.sort(() => random.below(3) - 1).map((sendIt) => sendIt()));
  }
  const file = await newFile();
  await emulator.report(file);
  return file;
}
