import type { EmailPlatform } from 'email-platform';
import { random } from '../support/random.ts';
import { sleep } from './service.ts';

/** A network without delay. */
export const direct: EmailPlatform.Fetch = (input, init) => fetch(input, init);

/** A network with round trips of 10 to 300 ms, split at random between the way there and the way back. */
export function jittering(seed: number): EmailPlatform.Fetch {
  const next = random(seed);
  return async (input, init) => {
    const roundTrip = 10 + next() * 290;
    const there = roundTrip * next();
    await sleep(there);
    const response = await fetch(input, init);
    await sleep(roundTrip - there);
    return response;
  };
}

/** A client that ignores the limit: sends five requests at once, again and again, until `isOver`. */
export async function unpaced(
  url: string,
  token: string,
  seed: number,
  isOver: () => boolean,
): Promise<void> {
  const next = random(seed);
  const headers = { authorization: `Bearer ${token}` };
  while (!isOver()) {
    const burst = Array.from({ length: 5 }, () =>
      fetch(url, { headers }).then((response) => response.text()),
    );
    await Promise.all(burst);
    await sleep(next() * 1_500);
  }
}
