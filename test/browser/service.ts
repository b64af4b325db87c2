import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { createEmulator, type Emulator } from 'email-platform/testing';
import type { ControlAnswer, ControlRequest } from './remote-emulator.ts';
import { TOKEN } from './same-origin.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address that starts and controls emulators; see `remote-emulator.ts`. */
    controlUrl: string;
  }
}

interface Running {
  readonly emulator: Emulator;
  readonly server: Emulator.Server;
}

async function readControlRequest(message: IncomingMessage): Promise<ControlRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk as Uint8Array);
  return JSON.parse(Buffer.concat(chunks).toString()) as ControlRequest;
}

/** Starts, controls and stops emulators for tests that run elsewhere: in a browser, or beside it in Node. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = new Map<string, Running>();

  const control = async (request: ControlRequest): Promise<ControlAnswer> => {
    if (request.kind === 'start') {
      const emulator = createEmulator({ token: TOKEN, ...request.options });
      const server = await emulator.listen({ port: 0, cors: request.cors });
      running.set(server.url, { emulator, server });
      const domainId = emulator.domains.list().find(({ verified }) => verified)?.id ?? 0;
      return { url: server.url, connection: server.clientOptions(), domainId };
    }
    const { emulator, server } = running.get(request.url) ?? {};
    if (!emulator || !server) throw new Error(`No emulator runs at ${request.url}`);
    if (request.kind === 'fault') emulator.faults.next(request.fault);
    if (request.kind === 'requests') return { requests: [...emulator.requests] };
    if (request.kind === 'stop') {
      running.delete(request.url);
      await server.close();
    }
    return {};
  };

  const server = createServer((message, response) => {
    readControlRequest(message)
      .then(control)
      .then(
        (answer) => ({ status: 200, answer }),
        (error: unknown) => ({ status: 500, answer: { error: String(error) } }),
      )
      .then(({ status, answer }) =>
        response
          .writeHead(status, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
          .end(JSON.stringify(answer)),
      )
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('controlUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    for (const { server: emulator } of running.values()) await emulator.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
