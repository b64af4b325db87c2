import { afterAll, beforeAll } from 'vitest';

/** Puts globals that a library of the tests in this file replaces back, once they have ended. */
export function keepGlobals(...names: (keyof typeof globalThis)[]): void {
  const kept = new Map<string, PropertyDescriptor | undefined>();
  beforeAll(() => {
    for (const name of names) kept.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  });
  afterAll(() => {
    for (const [name, descriptor] of kept) Object.defineProperty(globalThis, name, descriptor ?? {});
  });
}
