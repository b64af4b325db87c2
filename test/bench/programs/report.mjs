// What the details of requests cost, and what it takes to write a report, also one of eight times as much. Prints one line of
// JSON. Arguments: the folder of the built package, how many rounds, how many mails, how many requests.
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [dist, ...numbers] = process.argv.slice(2);
const [rounds, mails, requests] = numbers.map(Number);
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
/** The HTML and text of a mail: an ordinary one, a large one, and one in which all that a mask decodes stands densely. */
const base64 = (text) => Buffer.from(text).toString('base64');
const contents = {
  ordinary: (to, index) => ({
    text: `Your order ${index}: https://shop.example.com/orders/${index}?utm_source=mail&utm_medium=a%20b`,
    html: `<style>.a{color:#fff} @media (max-width:600px){.b{width:100%}}</style><table>${'<tr><td style="padding:10px">Item&nbsp;A &amp; B</td><td><a href="https://shop.example.com/r/AbCdEf1234567890xyzXYZ?utm_source=mail&amp;id=12">See it</a></td></tr>'.repeat(100)}</table><a href="https://shop.example.com/unsubscribe?u=${encodeURIComponent(to)}">Unsubscribe</a>`,
  }),
  large: (to) => ({
    text: to,
    html: `${'<p>Write to help@shop.example.com or call us about your order.</p>'.repeat(400)}<img alt="" src="data:image/png;base64,${randomBytes(60_000).toString('base64')}">`,
  }),
  hostile: (to) => ({
    text: `${to} ${base64(base64(to))} ${'@'.repeat(2_000)} ${'=40'.repeat(300)} ${'%2540'.repeat(200)}`,
    html: `<p>${to.replace('@', '&#64;')} ${to.replace('@', '<wbr>@<span>')} ${'a@'.repeat(1_000)} ${Buffer.from(to).toString('hex')} ${'&amp;'.repeat(500)} ${'A'.repeat(3_000)}</p>`,
  }),
};

/** The processor's milliseconds for a report of so many such mails, of an emulator that has made none yet. */
async function reported(kind, count, options) {
  const emulator = createEmulator({ limits: false });
  const { token, hosts } = emulator.clientOptions();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let index = 0; index < count; index += 1) {
    const to = `ann.smith${index}@example${index % 7}.org`;
    const mail = {
      from: { email: 'hello@mail.example.com' },
      to: [{ email: to }],
      subject: `Order ${index}`,
    };
    const body = JSON.stringify({ ...mail, ...contents[kind](to, index) });
    await emulator
      .handle(new Request(`${hosts.send}/api/send`, { method: 'POST', headers, body }))
      .then((response) => response.text());
  }
  return timed(1, () => emulator.report(join(folder, 'kind.html'), options));
}

const folder = mkdtempSync(join(tmpdir(), 'report-bench-'));
const result = { kinds: {}, without: [], withDetails: [], sizes: [] };
for (let round = 0; round < rounds; round += 1) {
  result.without.push(await timed(200, without.send));
  result.withDetails.push(await timed(200, withDetails.send));
}

try {
  // Of 1000 mails: 400 of a real size, and 8 of 105 kB.
  for (const [kind, share] of Object.entries({ ordinary: 2.5, large: 125, hostile: 8 })) {
    const count = Math.max(2, Math.round(mails / share));
    const times = { count, shown: [], masked: [], twice: [] };
    for (let round = 0; round < 1 + Math.min(5, rounds); round += 1) {
      const shown = await reported(kind, count, { addresses: 'shown' });
      const masked = await reported(kind, count, { addresses: 'masked' });
      const twice = await reported(kind, 2 * count, { addresses: 'masked' });
      // The first round compiles the code.
      if (round === 0) continue;
      times.shown.push(shown);
      times.masked.push(masked);
      times.twice.push(twice);
    }
    result.kinds[kind] = times;
  }

  for (const times of [1, 8]) {
    const { emulator, send, ask } = made(false);
    await timed(times * mails, send);
    await timed(times * (requests - mails), ask);
    const file = join(folder, 'mails.html');
    const shownMs = await timed(1, () => emulator.report(file, { addresses: 'shown' }));
    // The mails are checked already.
    const maskedMs = await timed(1, () => emulator.report(file, { addresses: 'masked' }));
    const bytes = statSync(file).size;
    result.sizes.push({ mails: times * mails, requests: times * requests, shownMs, maskedMs, bytes });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify(result)}\n`);
