import { afterAll, beforeAll } from 'vitest';

/** Restores globals after the tests of this file, because a library of the tests replaces them. */
export function keepGlobals(...names: (keyof typeof globalThis)[]): void {
  const kept = new Map<string, PropertyDescriptor | undefined>();
  beforeAll(() => {
    for (const name of names) kept.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  });
  afterAll(() => {
    for (const [name, descriptor] of kept) Object.defineProperty(globalThis, name, descriptor ?? {});
  });
}
