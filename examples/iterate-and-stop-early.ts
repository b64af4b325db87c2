/**
 * Reads a list only as far as needed: the client never requests the pages after the end of the loop.
 *
 *     npx tsx examples/iterate-and-stop-early.ts
 */
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { heading, row } from './print.ts';

const emulator = createEmulator({ seed: 'demo' });
const client = new EmailPlatform(emulator.clientOptions());

/** Requests since the last call of this function. */
let seen = 0;
const requests = () => {
  const count = emulator.requests.length - seen;
  seen = emulator.requests.length;
  return count === 1 ? '1 request' : `${count} requests`;
};

heading('A list is lazy');
const campaigns = client.campaigns.list({ per_page: 25 });
row('made', requests());

heading('The first campaign that failed');
for await (const { name, current_state, current_state_metadata } of campaigns) {
  if (current_state !== 'failed') continue;
  row('failed', `${name}: ${current_state_metadata.error ?? 'no reason given'}`);
  break; // Nothing is sent after this.
}
row('found with', requests());

heading('The first 40');
const first = await campaigns.toArray({ limit: 40 });
row('from', first[0]?.name ?? '');
row('to', first.at(-1)?.name ?? '');
row('read with', requests());

heading('All of them');
const states = new Map<string, number>();
for await (const { current_state } of campaigns)
  states.set(current_state, (states.get(current_state) ?? 0) + 1);
for (const [state, count] of states) row(state.padEnd(20), count);
row('counted with', requests());

heading('In two sessions');
const page = await client.campaigns.list({ per_page: 100 });
const bookmark = page.pagination.next_token; // A number: store it anywhere, continue in another process.
row('first', `${page.items.length} campaigns; the next page is ${bookmark ?? 'none'}`);
if (bookmark !== null) {
  const rest = await client.campaigns.list({ per_page: 100, token: bookmark }).toArray();
  row('then', `${rest.length} campaigns`);
}
