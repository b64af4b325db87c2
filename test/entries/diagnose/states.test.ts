import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cli } from '../../cli/in-process.ts';

import { fetching, STATES, WELL, type State } from './states.ts';

// Only the date stands still: an emulator's window ends at a multiple of ten seconds.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-12T10:31:00.000Z') }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Runs the command in a state. */
async function doctorIn({ env, arrange, answers, isHttpAllowed, args = [] }: Partial<State>) {
  const emulator = createEmulator({ seed: 'empty', now: () => Date.now() });
  const connection = emulator.clientOptions();
  const admin = new EmailPlatform(connection);
  for (const { id, name } of emulator.domains.list())
    if (name !== 'mail.example.com') await admin.sendingDomains.delete(id);
  const given = (await arrange?.(emulator)) ?? {};
  const hosts = Object.entries(connection.hosts).map(([name, address]) => [
    `EMAIL_PLATFORM_${name.toUpperCase()}_URL`,
    String(address),
  ]);
  const own = [...hosts, ...Object.entries({ EMAIL_PLATFORM_TOKEN: connection.token, ...WELL })];
  for (const [name = '', value] of [...own, ...Object.entries({ ...env, ...given.env })])
    vi.stubEnv(name, value);
  const changed = answers === undefined ? given : fetching(emulator, answers);
  // The command has no settings besides its environment.
  const client = () =>
    new EmailPlatform({ fetch: changed.fetch ?? connection.fetch, dangerouslyAllowHttp: isHttpAllowed });
  const { code, out, err } = await cli(['doctor', ...args], { client });
  vi.unstubAllEnvs();
  return { code, lines: `${out}${err}`.trimEnd().split('\n') };
}

/** The line with the cause, and the lines of its cure: those below it, or the line itself. */
function shown(lines: readonly string[], { mark, cause }: State) {
  const at = lines.findIndex((line) => cause.test(line) && (mark === 'error' || line.startsWith(mark)));
  const line = lines[at] ?? '';
  const below = lines.slice(at + 1).find((one) => one.trimStart().startsWith('→'));
  const next = lines.find((one) => one.startsWith('  next'));
  return { line, cure: mark === 'error' ? line : (below ?? next ?? '') };
}

describe('the states of a setup', () => {
  test('all is well: no mark, and the proof that is left', async () => {
    const { code, lines } = await doctorIn({});
    expect(code).toBe(0);
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual([]);
    expect(lines.at(-1)).toMatch(
      /^ {2}next .*--send you@mail\.example\.com {3}.*proof that the token may send$/,
    );
  });

  test.each(STATES.map((state) => [state.state, state] as const))('%s', async (_, state) => {
    const { code, lines } = await doctorIn(state);
    const { line, cure } = shown(lines, state);
    expect(line, lines.join('\n')).toMatch(state.cause);
    expect(cure, lines.join('\n')).toMatch(state.cure);
    expect(code).toBe(lines.some((one) => one.startsWith('✗')) || state.mark === 'error' ? 1 : 0);
    const verdict = '! verdict   customers get no email with these settings: see the lines with !';
    expect(lines.includes(verdict)).toBe(state.isWithheld === true);
    expect(lines.join('\n')).not.toContain('secret');
  });

  test('are at least thirty', () => {
    expect(STATES.length).toBeGreaterThanOrEqual(30);
  });
});
