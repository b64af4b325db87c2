/**
 * The pictures of commands in docs/images: what each prints now, on a terminal, against the emulator.
 * `vitest run test/docs/pictures.test.ts -u` draws them anew.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { cli } from '../cli/in-process.ts';
import { terminalPicture } from '../support/terminal.ts';
import { RECEIPT, templatesIn } from '../entries/templates/folders.ts';
import { root } from './snippets.ts';

const START = Date.parse('2026-11-12T10:31:00.000Z');
const MINUTE = 60_000;
const IMAGES = `${root}docs/images`;

/** An account, and what a command prints to a terminal that uses it. */
function account() {
  const emulator = createEmulator({ seed: 'empty', limits: false, now: () => START });
  const client = new EmailPlatform({
    ...emulator.clientOptions(),
    defaults: { from: 'hello@mail.example.com' },
  });
  async function printed(...args: readonly string[]): Promise<string> {
    let output = '';
    await cli(args, {
      client: () => client,
      isTerminal: { out: true, err: true },
      out: (text) => (output += text),
      err: (text) => (output += text),
      ended: new Promise(() => undefined),
    });
    return output;
  }
  return { emulator, client, printed };
}

describe('the picture of a command', () => {
  test('why', async () => {
    const { emulator, client, printed } = account();
    const address = 'ann@example.org';
    const domain_id = emulator.domains.list().find(({ name }) => name === 'mail.example.com')?.id ?? 0;
    const suppression = { email: address, domain_id };
    await client.suppressions.create({
      ...suppression,
      sending_stream: 'transactional',
      type: 'hard bounce',
    });
    await client.suppressions.create({ ...suppression, sending_stream: 'bulk', type: 'unsubscription' });
    await client.contacts.create({ email: address });
    const from = 'hello@mail.example.com';
    emulator.logs.add({
      to: address,
      from,
      sent_at: START - 60 * MINUTE,
      subject: 'Your receipt',
      events: [
        { event_type: 'delivery', created_at: START - 59 * MINUTE },
        { event_type: 'open', created_at: START - 40 * MINUTE },
      ],
    });
    emulator.logs.add({
      to: address,
      from,
      sent_at: START - 2 * MINUTE,
      subject: 'Your order is on its way',
      events: [{ event_type: 'bounce', created_at: START - MINUTE }],
    });
    const output = await printed('why', address);
    const command = `npx email-platform why ${address}`;
    await expect(terminalPicture({ command, output })).toMatchFileSnapshot(`${IMAGES}/why.svg`);
  });

  test('templates plan', async () => {
    const { client, printed } = account();
    const named = (name: string) => ({ ...RECEIPT, json: { ...RECEIPT.json, name } });
    const names = ['digest', 'invite', 'old', 'receipt'];
    const folder = templatesIn(Object.fromEntries(names.map((name) => [name, named(name)])));
    await printed('templates', 'push', folder);
    const templates = await client.templates.list().toArray();
    const idOf = (name: string) => templates.find((template) => template.name === name)?.id ?? 0;
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    };
    await client.templates.update(idOf('digest'), { subject: 'This week, {{{name}}}' });
    await client.templates.update(idOf('invite'), { body_text: 'Welcome {{name}}' });
    write('invite/body.txt', 'Dear {{name}}');
    write('receipt/body.html', '<p>\n{{name}}\n{{#each items}}{{sku}}: {{price}}{{/each}}');
    rmSync(join(folder, 'old'), { recursive: true });
    write('welcome/template.json', JSON.stringify({ name: 'welcome', subject: 'Welcome', category: 'x' }));
    write('welcome/body.txt', 'Good to have you here.');
    const output = await printed('templates', 'plan', folder);
    const command = 'npx email-platform templates plan emails';
    await expect(terminalPicture({ command, output })).toMatchFileSnapshot(`${IMAGES}/templates-plan.svg`);
  });
});

test('a picture shows bold and red text, and continues long lines below', () => {
  const picture = terminalPicture({ command: 'a', output: 'b <\u001B[31mc d\u001B[39me\n', columns: 5 });
  const texts = [...picture.matchAll(/<text x="(\d+)" y="(\d+)"[^>]*?>([^<]*)/g)].map((match) =>
    match.slice(1),
  );
  expect(texts).toEqual([
    ['16', '31', '$ a'],
    ['16', '51', 'b &lt;'],
    ['40', '51', 'c '],
    ['16', '71', 'd'],
    ['24', '71', 'e'],
  ]);
  expect(picture).toContain('font-weight="bold">$ a<');
  expect(picture).toContain('fill="#b3261e">d<');
  expect(() => terminalPicture({ command: 'a', output: '\u001B[2J' })).toThrow('cannot show the sequence');
});
