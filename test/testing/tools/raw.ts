import { connect, type Socket } from 'node:net';
import type { Emulator } from 'email-platform/testing';
import { onTestFinished } from 'vitest';
import { campaigns, still } from './wire.ts';

/** A response as it came over the socket. */
export interface RawResponse {
  readonly status: number;
  /** The names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Serves an emulator until the test is over. Returns the port. */
export async function served(emulator: Emulator, options?: Emulator.ListenOptions): Promise<number> {
  const server = await emulator.listen(options);
  onTestFinished(() => server.close());
  return Number(new URL(server.url).port);
}

/** Sends bytes and reads until the server closes the connection. */
export async function exchange(port: number, sent: string | Uint8Array): Promise<RawResponse[]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent);
  return responsesIn(await received(socket));
}

/** Everything that arrives, also before a reset. */
export async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => socket.destroy());
  await new Promise((resolve) => socket.on('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** The responses in a stream of bytes. All of the emulator's state their length; the one to a HEAD has no body. */
export function responsesIn(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end < 0 || Number.isNaN(status)) throw new Error(`Not a response: ${rest.slice(0, 200)}`);
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    rest = rest.slice(end + 4);
    if (status === 100) continue;
    const length = rest === '' || rest.startsWith('HTTP/1.1 ') ? 0 : Number(headers.get('content-length'));
    const body = rest.slice(0, length);
    if (body.length !== length) throw new Error(`A response of ${length} bytes has only ${body.length}`);
    responses.push({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8') });
    rest = rest.slice(length);
  }
  return responses;
}

/** The request line and the headers of a request. */
export function head(method: string, path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** The path of the list of campaigns on a server. */
export const listPath = `/account${campaigns}`;

/** A served emulator without limits, the headers of a valid request to it, and whether it still responds. */
export async function hardTarget() {
  const emulator = still({ limits: false });
  const port = await served(emulator);
  const headers = {
    host: '127.0.0.1',
    authorization: `Bearer ${emulator.clientOptions().token}`,
    'content-type': 'application/json',
  };
  const isAlive = async () => {
    const [response] = await exchange(port, head('GET', listPath, { ...headers, connection: 'close' }));
    return response?.status === 200;
  };
  return { emulator, port, headers, isAlive };
}

/** The `error` in the body of a response. */
export function errorOf(response: RawResponse | undefined): unknown {
  return (JSON.parse(response?.body ?? '{}') as { error?: unknown }).error;
}
