// A service for `late-connections.mjs`: connections to it stand when it is told so.
import dns from 'node:dns';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createRelay } from 'node:net';

const listening = async (server, port = 0) => {
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server.address().port;
};

/** Connections that are held back, each with what lets it stand. */
class Held {
  isHolding = false;
  #connections = new Map();
  #onAdd = () => undefined;

  /** Resolves when so many connections are held. */
  until(count) {
    return new Promise((resolve) => {
      this.#onAdd = () => {
        if (this.#connections.size >= count) resolve();
      };
      this.#onAdd();
    });
  }

  /** A connection may be held at several points. */
  add(connection, goOn) {
    this.#connections.set(connection, [...(this.#connections.get(connection) ?? []), goOn]);
    this.#onAdd();
  }

  release() {
    this.isHolding = false;
    for (const goOn of [...this.#connections.values()].flat()) goOn();
  }
}

/** Over TLS with a key and its certificate: what it says in a handshake is held back. Otherwise, its address is. */
export async function slowService({ key, cert, port: wanted = 0 }) {
  const held = new Held();
  let arrived = 0;
  const handle = (request, response) => {
    arrived += 1;
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
      response.end('{"success":true,"message_ids":["1"]}');
    });
  };
  const server = key ? createTlsServer({ key, cert }, handle) : createServer(handle);
  // A request that ends before its body does is not accepted; its head would count all the same.
  server.on('clientError', (_, socket) => socket.destroy());
  let port = await listening(server, key ? 0 : wanted);

  if (key) {
    const behind = port;
    const relay = createRelay((near) => {
      const far = connect(behind, '127.0.0.1');
      near.pipe(far);
      far.on('data', (data) => {
        const pass = () => void near.write(data);
        if (held.isHolding) held.add(near, pass);
        else pass();
      });
      for (const [one, other] of [
        [near, far],
        [far, near],
      ]) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    port = await listening(relay, wanted);
  } else {
    const { lookup } = dns;
    dns.lookup = (...words) => {
      const find = () => lookup(...words);
      if (held.isHolding) held.add(find, find);
      else find();
    };
  }
  return { port, held, arrived: () => arrived };
}
