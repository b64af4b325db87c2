import { describe, expect, test } from 'vitest';
import type { Emulator } from 'email-platform/testing';
import { errorOf, type Loose } from '../../tools/refused.ts';
import { campaigns, still, wire } from '../../tools/wire.ts';

describe('faults.next refuses', () => {
  test.each<[fault: unknown, message: string]>([
    [undefined, 'TypeError: `fault` must be an object with kind, match, times, '],
    ['stall', 'TypeError: `fault`'],
    [{}, "TypeError: `fault.kind` must be one of 'reset-before', "],
    [
      { kind: 'reset-befor' },
      "RangeError: `fault.kind` must be one of 'reset-before', 'reset-after', 'stall', 'stall-body', 'truncate', 'slow', " +
        "'status', 'html', not 'reset-befor'",
    ],
    [
      { kind: 'stall', time: 2 },
      'TypeError: `fault.time` is unknown; the known names are kind, match, times, ',
    ],
    [
      { kind: 'stall', times: 0 },
      'RangeError: `fault.times` must be a whole number, 1 or more, or Infinity, not 0',
    ],
    [{ kind: 'stall', times: '2' }, 'TypeError: `fault.times`'],
    [{ kind: 'stall', match: '/x' }, 'TypeError: `fault.match` must be an object with method, host, path'],
    [
      { kind: 'stall', match: { url: '/x' } },
      'TypeError: `fault.match.url` is unknown; the known names are method, host, path',
    ],
    [
      { kind: 'stall', match: { method: 'PSOT' } },
      'RangeError: `fault.match.method` must be one of GET, HEAD, POST',
    ],
    [{ kind: 'stall', match: { method: 5 } }, 'TypeError: `fault.match.method`'],
    [
      { kind: 'stall', match: { host: 'account' } },
      "RangeError: `fault.match.host` must be one of 'api', 'send', 'bulk', 'sandbox', 'storage', 'reader', not 'account'",
    ],
    [
      { kind: 'stall', match: { path: 'api/send' } },
      'RangeError: `fault.match.path` must be a path that begins with /',
    ],
    [{ kind: 'stall', match: { path: '/api/send?x=1' } }, 'RangeError: `fault.match.path`'],
    [{ kind: 'stall', match: { path: 7 } }, 'TypeError: `fault.match.path`'],
    [{ kind: 'status' }, 'TypeError: `fault.status` must be a whole number from 200 to 599, not undefined'],
    [{ kind: 'status', status: '500' }, 'TypeError: `fault.status`'],
    [{ kind: 'status', status: 99 }, 'RangeError: `fault.status`'],
    [{ kind: 'html', status: 600 }, 'RangeError: `fault.status`'],
    [
      { kind: 'stall', status: 500 },
      "TypeError: `fault.status` has no effect with kind 'stall'; it has no options of its own",
    ],
    [
      { kind: 'slow', status: 500 },
      "TypeError: `fault.status` has no effect with kind 'slow'; its options are delayMs",
    ],
    [
      { kind: 'html', delayMs: 5 },
      "TypeError: `fault.delayMs` has no effect with kind 'html'; its options are status, headers, body",
    ],
    [{ kind: 'truncate', headers: {} }, 'TypeError: `fault.headers` has no effect'],
    [{ kind: 'reset-after', body: 'x' }, 'TypeError: `fault.body` has no effect'],
    [{ kind: 'status', status: 429, headers: { 'retry-after': 1 } }, 'TypeError: `fault.headers` must be'],
    [{ kind: 'status', status: 429, headers: new Headers() }, 'TypeError: `fault.headers` must be'],
    [{ kind: 'status', status: 429, headers: { 'retry after': '1' } }, 'RangeError: `fault.headers` must be'],
    [
      { kind: 'status', status: 429, body: () => 'x' },
      'TypeError: `fault.body` must be a string, or a value that JSON',
    ],
    [{ kind: 'status', status: 429, body: new Uint8Array(2) }, 'TypeError: `fault.body`'],
    [{ kind: 'status', status: 429, body: { id: 1n } }, 'RangeError: `fault.body`'],
    [{ kind: 'slow', delayMs: '1s' }, 'TypeError: `fault.delayMs`'],
    [
      { kind: 'slow', delayMs: -1 },
      'RangeError: `fault.delayMs` must be a number of milliseconds from 0 to 2147483647',
    ],
    [{ kind: 'slow', delayMs: 2 ** 31 }, 'RangeError: `fault.delayMs`'],
    [{ kind: 'stall', acts: 1 }, 'TypeError: `fault.acts` must be true or false, not 1'],
    [{ kind: 'reset-before', acts: true }, "RangeError: `fault.acts` must be false with kind 'reset-before'"],
    [
      { kind: 'truncate', acts: false },
      "RangeError: `fault.acts` must be true with kind 'truncate', or be left out",
    ],
  ])('%o → %s', async (fault, message) => {
    const emulator = still();
    expect(errorOf(() => (emulator.faults.next as Loose)(fault))).toContain(message);
    expect((await wire(emulator)('GET', campaigns)).status).toBe(200);
  });

  test.each<[Emulator.FaultKind, boolean]>([
    ['reset-before', false],
    ['reset-after', true],
    ['stall-body', true],
    ['truncate', true],
    ['slow', true],
  ])('nothing if `acts` agrees with the kind %s', (kind, acts) => {
    expect(() => still().faults.next({ kind, acts })).not.toThrow();
  });
});
