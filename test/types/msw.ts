import { createEmulator } from 'email-platform/testing';
import { handlers } from 'email-platform/testing/msw';
import type { HttpHandler } from 'msw';
import type { Same } from './same.ts';

export function behindMsw(): unknown[] {
  const emulator = createEmulator();
  const all = handlers(emulator, { hosts: { api: 'https://api.example.com' } });
  const type: Same<typeof all, HttpHandler[]> = true;
  // @ts-expect-error no such host
  const wrong = handlers(emulator, { hosts: { web: 'https://example.com' } });
  // @ts-expect-error an emulator is required
  return [type, wrong, handlers()];
}
