import type { Emulator } from 'email-platform/testing';
import { inject } from 'vitest';

/** A request to the control server. */
export type ControlRequest =
  | { readonly kind: 'start'; readonly options: Emulator.Options; readonly cors: Emulator.Cors }
  | { readonly kind: 'fault'; readonly url: string; readonly fault: Emulator.Fault }
  | { readonly kind: 'requests'; readonly url: string }
  | { readonly kind: 'stop'; readonly url: string };

/** The response of the control server. */
export interface ControlAnswer {
  readonly url?: string;
  readonly connection?: Emulator.Connection;
  readonly domainId?: number;
  readonly requests?: Emulator.Request[];
}

/** An emulator in another process, on a real socket. */
export interface RemoteEmulator {
  readonly url: string;
  readonly connection: Emulator.Connection;
  /** A verified sending domain. */
  readonly domainId: number;
  fault(fault: Emulator.Fault): Promise<void>;
  requests(): Promise<Emulator.Request[]>;
  stop(): Promise<void>;
}

async function ask(request: ControlRequest): Promise<ControlAnswer> {
  // As plain text, so that a browser sends no preflight request.
  const response = await fetch(inject('controlUrl'), { method: 'POST', body: JSON.stringify(request) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as ControlAnswer;
}

/** Starts an emulator for one test. In a browser it responds to this page, unless `cors` names others. */
export async function startEmulator(
  options: Emulator.Options = {},
  cors: Partial<Emulator.Cors> = {},
): Promise<RemoteEmulator> {
  const origins = 'document' in globalThis ? [location.origin] : [];
  const { url, connection, domainId } = await ask({ kind: 'start', options, cors: { origins, ...cors } });
  if (url === undefined || connection === undefined || domainId === undefined)
    throw new Error('The emulator did not start.');
  return {
    url,
    connection,
    domainId,
    fault: async (fault) => {
      await ask({ kind: 'fault', url, fault });
    },
    requests: async () => (await ask({ kind: 'requests', url })).requests ?? [],
    stop: async () => {
      await ask({ kind: 'stop', url });
    },
  };
}
