/** Set-up of the test files that share a process and its modules: what one leaves behind would reach the next. */
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { SEED } from './extent.ts';

// Without a seed, every run tries other cases, and a failure prints how to repeat its own.
if (SEED !== undefined) fc.configureGlobal({ seed: SEED });

/** What the next file would find changed: the globals, what is often replaced in them, and the client's own settings. */
function found(): Map<string, unknown> {
  const objects = { globalThis, console, Date, Math };
  const values = Object.entries(objects).flatMap(([name, object]) =>
    Object.getOwnPropertyNames(object)
      // Node warns when its stores are read; names with underscores are the registries of libraries.
      .filter((key) => !/^(local|session)Storage$|^__/.test(key))
      .map((key) => [`${name}.${key}`, Reflect.get(object, key) as unknown] as const),
  );
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('EMAIL_PLATFORM_'));
  return new Map([...values, ...settings]);
}

const before = found();
afterAll(() => {
  const after = found();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
  if (changed.length > 0) throw new Error(`This file leaves changed: ${changed.join(', ')}`);
});
