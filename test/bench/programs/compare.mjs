// What it takes to compare two reports: 24 emails of one kind with 120 rows of a table, and many emails of 20 kinds. Prints one
// line of JSON: the milliseconds of the processor by the name of the comparison. Arguments: the folder of the built package,
// how many rounds, how many emails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [dist, ...numbers] = process.argv.slice(2);
const [rounds, mails] = numbers.map(Number);
const { compareReports, createEmulator } = await import(pathToFileURL(`${dist}/testing/index.js`).href);

let seed = 11;
const below = (limit) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * limit);
};
const WORDS = [
  ['Rustic', 'Practical', 'Sleek', 'Refined', 'Small', 'Fresh', 'Modern', 'Elegant'],
  ['Wooden', 'Steel', 'Cotton', 'Granite', 'Rubber', 'Plastic', 'Soft', 'Metal'],
  ['Chair', 'Table', 'Hat', 'Soap', 'Bike', 'Towels', 'Lamp', 'Shirt'],
];
const product = () => WORDS.map((words) => words[below(words.length)]).join(' ');
const price = () => `${below(100)}.${10 + below(90)} €`;
const row = () =>
  `<tr><td style="padding:4px"><b>${product()}</b></td><td>${1 + below(9)}</td><td>${price()}</td></tr>`;
const order = (words) => ({
  category: 'order',
  html: `<h1>${words}</h1><table>${Array.from({ length: 120 }, row).join('')}</table>`,
});
const note = (words, index) => ({
  category: `kind ${index % 20}`,
  html: `<h1>Note ${index % 20}</h1><p>${words}, reader ${index}. You ordered ${product()} for ${price()}.</p><p><a href="https://shop.example.com/orders/${index}">See it</a></p>`,
});

const folder = mkdtempSync(join(tmpdir(), 'compare-bench-'));
async function written(name, mailOf, count, words) {
  const emulator = createEmulator({ limits: false });
  const { token, hosts } = emulator.clientOptions();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let index = 0; index < count; index += 1) {
    const from = { email: 'shop@mail.example.com' };
    const mail = { from, to: [{ email: `reader${index}@example.org` }], subject: 'Your order' };
    const body = JSON.stringify({ ...mail, ...mailOf(words, index) });
    const response = await emulator.handle(
      new Request(`${hosts.send}/api/send`, { method: 'POST', headers, body }),
    );
    if (!response.ok) throw new Error(await response.text());
  }
  const file = join(folder, name);
  await emulator.report(file);
  return file;
}

try {
  const result = {};
  for (const [name, mailOf, count] of [
    ['24 emails with 120 rows', order, 24],
    [`${mails} emails of 20 kinds`, note, mails],
  ]) {
    const before = await written('before.html', mailOf, count, 'Thank you');
    const after = await written('after.html', mailOf, count, 'Thanks');
    result[name] = [];
    for (let round = 0; round < rounds; round += 1) {
      const start = process.cpuUsage();
      const { kinds } = await compareReports([before], after);
      const { user, system } = process.cpuUsage(start);
      if (!kinds.every(({ state }) => state === 'changed')) throw new Error('Each kind changed');
      result[name].push((user + system) / 1000);
    }
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
