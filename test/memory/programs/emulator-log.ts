/** Sends requests with many headers, and without a token, to an emulator with a control API. Prints the heap used at intervals. */
import { createEmulator } from 'email-platform/testing';
import { heapUsed } from './heap.ts';

const [total = 0, headers = 0, markEvery = 0] = process.argv.slice(2, 5).map(Number);

const emulator = createEmulator({ limits: false });
const server = await emulator.listen({ control: true });
const marks = [await heapUsed()];
for (let n = 1; n <= total; n += 1) {
  const names = Array.from({ length: headers }, (_, at): [string, string] => [`h${n}-${at}`, '1']);
  await emulator.handle(new Request(`${server.hosts.api}/api/accounts`, { headers: names }));
  if (n % markEvery === 0) marks.push(await heapUsed());
}
const count = emulator.requests.length;
await server.close();
process.stdout.write(JSON.stringify({ count, marks }));
