/** Set-up of the test files that share a process and its modules: detects changes that would affect the next file. */
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { SEED } from './extent.ts';

// Without a seed, every run tries other cases. A failure prints the seed that repeats it.
if (SEED !== undefined) fc.configureGlobal({ seed: SEED });

/**
 * The state that the next file shares: the globals, their methods that tests often replace, and the client's
 * settings.
 */
function sharedState(): Map<string, unknown> {
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

const before = sharedState();
afterAll(() => {
  const after = sharedState();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
  if (changed.length > 0) throw new Error(`This file did not restore these values: ${changed.join(', ')}`);
});
