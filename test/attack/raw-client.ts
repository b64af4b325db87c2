import { connect } from 'node:net';

/** The data received over a connection. */
export interface RawAnswer {
  /** The status of the first response; 0 if there was none. */
  readonly status: number;
  /** Everything that was received. */
  readonly text: string;
}

/** So long without anything from the server, and the connection is given up. */
const SILENCE_MS = 5_000;

/** Writes these bytes to a server of this machine, one part after the other, and reads until it closes the connection. */
export function rawExchange(port: number, parts: Iterable<string | Uint8Array>): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = () => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    socket.setTimeout(SILENCE_MS, end);
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', end);
    socket.on('close', end);
    const iterator = parts[Symbol.iterator]();
    const write = () => {
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
        if (socket.destroyed) return;
        if (!socket.write(next.value)) {
          socket.once('drain', write);
          return;
        }
      }
    };
    socket.on('connect', write);
  });
}

/** A request as bytes, on a connection of its own; headers that are given replace the usual ones. */
export function rawRequest(
  line: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  body = '',
): string {
  const all: Record<string, string | undefined> = {
    host: 'app.test',
    'sec-fetch-site': 'same-origin',
    connection: 'close',
    ...(body !== '' && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return [`${line} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
