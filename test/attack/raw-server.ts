import { createServer, type Server, type Socket } from 'node:net';
import { listen, type Listening } from '../support/ports.ts';

/** A server that speaks HTTP by hand, so that it can answer what no HTTP server would. */
export interface RawServer extends Listening {
  readonly url: string;
  /** Every complete request, as it arrived. */
  readonly requests: readonly string[];
}

/** The handlers of a connection, for each step of a request. A step without a handler does nothing. */
export interface Conversation {
  /** A client has connected. */
  readonly onConnection?: (socket: Socket) => void;
  /** The head of a request has arrived; its body, if it has one, perhaps not. */
  readonly onHead?: (socket: Socket, head: string) => void;
  /** A request has arrived as a whole. */
  readonly onRequest?: (socket: Socket, request: string) => void;
}

/** The bytes of a response; its length is stated. */
export const rawResponse = (status: string, body = '', headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n');

/** Answers every complete request with the same bytes, on a connection that is kept alive. */
export const rawServer = (answer: string | ((request: string) => string)): Promise<RawServer> =>
  conversing({
    onRequest: (socket, request) => socket.write(typeof answer === 'string' ? answer : answer(request)),
  });

/** A server that does with a connection what the conversation says; over TLS, it is given the server to use. */
export async function conversing(
  { onConnection, onHead, onRequest }: Conversation,
  over: (handle: (socket: Socket) => void) => Server = createServer,
): Promise<RawServer> {
  const requests: string[] = [];
  const listening = await listen(
    over((socket) => {
      let received = '';
      let isHeadSeen = false;
      onConnection?.(socket);
      socket.on('data', (data) => {
        received += data.toString('latin1');
        for (let head = headOf(received); head !== undefined; head = headOf(received)) {
          if (!isHeadSeen) onHead?.(socket, head);
          isHeadSeen = true;
          const length = lengthOf(head);
          if (received.length < length) return;
          const request = received.slice(0, length);
          received = received.slice(length);
          isHeadSeen = false;
          requests.push(request);
          onRequest?.(socket, request);
        }
      });
    }),
  );
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, requests };
}

/** The head of the first request in a text, with the empty line; undefined while it is incomplete. */
function headOf(text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? undefined : text.slice(0, end + 4);
}

/** How long the request with this head is. */
function lengthOf(head: string): number {
  const [, length = '0'] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  return head.length + Number(length);
}
