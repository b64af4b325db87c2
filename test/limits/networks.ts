import type { Fetch } from 'email-platform';
import { random } from '../support/random.ts';
import { sleep } from './service.ts';

/** Nothing between client and service but this machine. */
export const direct: Fetch = (input, init) => fetch(input, init);

/** A network that takes 10 to 300 ms for a round trip, in any proportion there and back. */
export function jittering(seed: number): Fetch {
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

/** Somebody who knows no limit: asks five times at once, then again, until told to stop. */
export async function unpaced(
  url: string,
  token: string,
  seed: number,
  isOver: () => boolean,
): Promise<void> {
  const next = random(seed);
  const headers = { authorization: `Bearer ${token}` };
  while (!isOver()) {
    const burst = Array.from({ length: 5 }, () => fetch(url, { headers }).then((answer) => answer.text()));
    await Promise.all(burst);
    await sleep(next() * 1_500);
  }
}
