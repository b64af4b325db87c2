import {
  type Emulator,
  connectEmulator,
  createEmulator,
  type ConnectedEmulator,
  type ConnectedMessage,
} from 'email-platform/testing';
import type { Same } from './same.ts';

const controlToken = 'ctl_0123456789abcdef';

/** In another process, everything is as in this one, but later. */
export async function right(): Promise<unknown> {
  const emulator = createEmulator({ seed: 'empty', limits: false });
  const connected: ConnectedEmulator = connectEmulator('http://127.0.0.1:4010', { controlToken, fetch });
  const here: Emulator.Message[] = emulator.messages();
  const there = await connected.messages();
  here.push(...there);
  const options = await connected.clientOptions();
  const requests = await connected.requests;
  const id = await connected.logs.add({ subject: 'Welcome', raw: new Uint8Array(1) });
  await connected.faults.next({ kind: 'status', status: 503, match: { path: /send$/ } });
  await connected.clock.advance(1_000);
  await connected.restore(await connected.snapshot());
  const types: [
    Same<typeof there, ConnectedMessage[]>,
    Same<typeof options, Emulator.Connection>,
    Same<typeof requests, readonly Emulator.Request[]>,
    Same<typeof id, string>,
  ] = [true, true, true, true];
  return types;
}

/** The arguments of a path have its names; a handler is removed by a call, or by the end of a block. */
export function handlers(): unknown {
  const emulator = createEmulator();
  const remove = emulator.on('GET /api/inboxes/{inbox}/messages/{id}', async ({ params, request, next }) => {
    const exact: Same<typeof params, Readonly<Record<'inbox' | 'id', string>>> = true;
    return exact && request.headers.has('x') ? next() : Response.json(params);
  });
  emulator.on('GET /api/templates', () => new Response());
  // @ts-expect-error no such argument
  emulator.on('GET /api/templates/{id}', ({ params }) => Response.json(params.templateId));
  // @ts-expect-error no response
  emulator.on('GET /api/templates/{id}', () => ({ id: 7 }));
  // @ts-expect-error the method is missing
  emulator.on('/api/templates', () => new Response());
  // @ts-expect-error a handler is in the process of the emulator
  const { on } = connectEmulator('http://127.0.0.1:4010', { controlToken });
  remove();
  return on;
}

export async function wrong(): Promise<unknown> {
  const connected = connectEmulator('http://127.0.0.1:4010', { controlToken });
  // @ts-expect-error it is a promise
  const messages: Emulator.Message[] = connected.messages();
  // @ts-expect-error a status is a number
  await connected.faults.next({ kind: 'status', status: '503' });
  // @ts-expect-error no such kind
  await connected.faults.next({ kind: 'statuz' });
  // @ts-expect-error no such field
  await connected.logs.add({ subjekt: 'Welcome' });
  // @ts-expect-error no such seed
  createEmulator({ seed: 'demonstration' });
  // @ts-expect-error the token is required
  connectEmulator('http://127.0.0.1:4010');
  // @ts-expect-error no such option
  connectEmulator('http://127.0.0.1:4010', { token: controlToken });
  // @ts-expect-error only an emulator of this process has a fetch
  const { fetch: send } = connected;
  // @ts-expect-error nor does another one listen
  return [messages, send, connected.listen];
}
