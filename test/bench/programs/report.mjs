// What the details of requests cost, and what it takes to write a report. Prints one line of JSON.
// Arguments: the folder of the built package, how many rounds, how many mails, how many requests.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [dist, rounds, mails, requests] = process.argv.slice(2);
const { createEmulator } = await import(pathToFileURL(`${dist}/testing/index.js`).href);

/** An emulator, and what sends a mail to it. */
function made(details) {
  const emulator = createEmulator({ limits: false, details });
  const { token, hosts } = emulator.clientOptions();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (index) =>
    emulator
      .handle(
        new Request(`${hosts.send}/api/send`, {
          method: 'POST',
          headers,
          body: JSON.stringify({
            from: { email: 'hello@mail.example.com' },
            to: [{ email: `reader${index}@example.org` }],
            subject: `Order ${index}`,
            text: `Order ${index} is on its way. https://shop.example.com/orders/${index}`,
            html: `<p>Order ${index}</p>${'<p>is on its way, with all that you have ordered.</p>'.repeat(100)}`,
          }),
        }),
      )
      .then((response) => response.text());
  const ask = (index) =>
    emulator
      .handle(new Request(`${hosts.api}/api/templates/${index}`, { headers }))
      .then((response) => response.text());
  return { emulator, send, ask };
}

/** The time of the processor, in milliseconds for each of `count`. */
async function timed(count, work) {
  const start = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await work(index);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / count;
}

const without = made(false);
const withDetails = made(true);
for (const { send } of [without, withDetails]) await timed(200, send);
const result = { without: [], withDetails: [], shownMs: 0, maskedMs: 0, bytes: 0 };
for (let round = 0; round < Number(rounds); round += 1) {
  result.without.push(await timed(200, without.send));
  result.withDetails.push(await timed(200, withDetails.send));
}

const folder = mkdtempSync(join(tmpdir(), 'report-bench-'));
try {
  const { emulator, send, ask } = made(false);
  await timed(Number(mails), send);
  await timed(Number(requests) - Number(mails), ask);
  const file = join(folder, 'mails.html');
  result.shownMs = await timed(1, () => emulator.report(file, { addresses: 'shown' }));
  // The mails are checked already.
  result.maskedMs = await timed(1, () => emulator.report(file));
  result.bytes = statSync(file).size;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify(result)}\n`);
