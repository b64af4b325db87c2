import { portWith } from '../support/sockets.ts';

/** A server that speaks HTTP by hand, so that it can answer what no HTTP server would. */
export interface RawServer {
  readonly url: string;
  /** Every complete request, as it arrived. */
  readonly requests: readonly string[];
}

/** The bytes of a response; its length is stated. */
export const rawResponse = (status: string, body = '', headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n');

/** Answers every complete request with the same bytes, on a connection that is kept alive. */
export async function rawServer(answer: string | ((request: string) => string)): Promise<RawServer> {
  const requests: string[] = [];
  const port = await portWith((socket) => {
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
      for (let end = lengthOf(received); end > 0 && received.length >= end; end = lengthOf(received)) {
        const request = received.slice(0, end);
        received = received.slice(end);
        requests.push(request);
        socket.write(typeof answer === 'string' ? answer : answer(request));
      }
    });
  });
  return { url: `http://127.0.0.1:${port}`, requests };
}

/** How long the first request in a text is; 0 while its headers are incomplete. */
function lengthOf(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const [, length = '0'] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head)) ?? [];
  return head + 4 + Number(length);
}
