// A service in a thread of its own, for `late-connections.mjs`: connections to it stand when it is told so.
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createRelay } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { isHeld, key, cert, port: wanted = 0, shared } = workerData;
let arrived = 0;
let isCounting = false;
/** What is held back of connections, once that has begun. */
let held;
let expected = Infinity;
let control;

const listening = async (server, port = 0) => {
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server.address().port;
};
const handle = (request, response) => {
  if (isCounting) arrived += 1;
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end('{"success":true,"message_ids":["1"]}');
  });
};
const target = isHeld ? createTlsServer({ key, cert }, handle) : createServer(handle);
// A request that ends before its body does is not accepted; its head would count all the same.
target.on('clientError', (_, socket) => socket.destroy());
let port = await listening(target, isHeld ? 0 : wanted);

if (isHeld) {
  const behind = port;
  // Passes on what both sides say; of the service nothing, while that is held back.
  const relay = createRelay((near) => {
    const far = connect(behind, '127.0.0.1');
    near.pipe(far);
    far.on('data', (data) => {
      const pass = () => void near.write(data);
      if (!held) return pass();
      held.push(pass);
      if (held.length === expected) control.write('1');
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
}

const controls = createRelay((socket) => {
  control = socket;
  held = [];
  isCounting = true;
  parentPort.postMessage({ kind: 'controlled' });
});
parentPort.postMessage({ kind: 'listening', port, controlPort: await listening(controls) });

/** Writes to the control connection, lets the others stand, and the client's thread go on once the kernel has it all. */
const release = () => {
  control.write('2');
  const kept = held;
  held = undefined;
  setTimeout(() => {
    for (const pass of kept) pass();
    setTimeout(() => {
      Atomics.store(shared, 0, 1);
      Atomics.notify(shared, 0);
    }, 100);
  }, 20);
};
parentPort.on('message', (message) => {
  if (typeof message === 'number') {
    expected = message;
    if (held.length === expected) control.write('1');
  } else if (message === 'count') parentPort.postMessage({ kind: 'arrived', arrived });
  else release();
});
