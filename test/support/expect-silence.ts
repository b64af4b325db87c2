import { afterAll, beforeAll, expect, vi } from 'vitest';

/** Fails the file if anything is printed: on the console, or as a warning of the process. */
export function expectSilence(): void {
  const said: unknown[] = [];
  const note = (...words: unknown[]) => void said.push(words);
  beforeAll(() => {
    for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
      vi.spyOn(console, method).mockImplementation(note);
    process.on('warning', note);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    process.off('warning', note);
    expect(said).toEqual([]);
  });
}
