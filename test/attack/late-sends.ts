import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../support/ports.ts';

/** The outcomes of the emails of `test/runtimes/programs/late-sends.mjs`. */
export interface LateSends {
  /** How many its calls said had not been sent in time. */
  readonly said: unknown;
  /** How many requests arrived, by subject. */
  readonly arrived: Readonly<Record<string, number>>;
}

/** All of them end in time; of those that waited in the queue none arrives, and of those refused none for a second time. */
export const NONE_SENT_LATE: LateSends = {
  said: { queued: 20, refused: 20 },
  arrived: { 'in time': 20, refused: 20 },
};

/** Runs the program against a server of its own. `run` is given the server's address, and returns what it printed. */
export async function lateSends(run: (url: string) => Promise<string>): Promise<LateSends> {
  const arrived: Record<string, number> = {};
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { subject } = JSON.parse(body) as { readonly subject: string };
      arrived[subject] = (arrived[subject] ?? 0) + 1;
      const [status, answer] =
        subject === 'refused'
          ? ([429, { error: 'Throttled' }] as const)
          : ([200, { success: true, message_ids: ['1'] }] as const);
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '2' });
      response.end(JSON.stringify(answer));
    });
  });
  const { port, close } = await listen(server);
  try {
    return { said: JSON.parse(await run(`http://127.0.0.1:${port}`)) as unknown, arrived };
  } finally {
    await close();
  }
}
