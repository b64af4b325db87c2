/** The globals of the web that an environment lacks. Taken at first use, so that an import needs none. */
const NEEDED = ['TextEncoder', 'TextDecoder', 'Request', 'Response', 'Headers', 'ReadableStream'];

/** The message that names the missing globals; undefined if all are there. */
export function lacking(): string | undefined {
  const missing = NEEDED.filter((name) => !(name in globalThis));
  return missing.length === 0
    ? undefined
    : `this environment has no ${missing.join(', ')}: in Jest or Vitest with jsdom, begin the test's file with /** @jest-environment node */ or /** @vitest-environment node */`;
}
