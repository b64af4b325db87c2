import { EmailPlatform } from 'email-platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordedEndpoints } from '../support/recorded-endpoints.ts';
import { resourceMethods } from '../support/resource-methods.ts';
import { ANSWER_FAULTS } from './answer-faults.ts';
import { CALLS, methodOf, type Call } from './calls.ts';
import { answerCell, normalResultOf, socketCell, socketTimesOf, timesOf } from './cells.ts';
import { PHASES, type Fault } from './faults.ts';
import { SOCKET_FAULTS } from './socket-faults.ts';

/** Every method × every fault × how often: each cell is one call, from its start to the last of its permits. */
let cells = 0;
const unhandled: unknown[] = [];
const keep = (reason: unknown) => void unhandled.push(reason);
const normal = new Map<Call, unknown>();

beforeAll(async () => {
  process.on('unhandledRejection', keep);
  for (const call of CALLS) normal.set(call, await normalResultOf(call));
});
afterAll(() => {
  process.off('unhandledRejection', keep);
  process.stdout.write(`fault matrix: ${cells} cells\n`);
});

type Cell<F extends Fault> = (call: Call, fault: F, times: number, normal: unknown) => Promise<string[]>;

/** The problems of all cells of a fault. */
async function problemsOf<F extends Fault>(
  fault: F,
  cell: Cell<F>,
  timesFor: (call: Call) => readonly number[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const call of CALLS) {
    if (fault.only && !fault.only(call)) continue;
    for (const times of timesFor(call)) {
      cells += 1;
      const found = await cell(call, fault, times, normal.get(call));
      problems.push(...found.map((problem) => `${call.name}, ${times} times: ${problem}`));
    }
  }
  // What is rejected without anybody noticing is reported one turn later.
  await new Promise((resolve) => setImmediate(resolve));
  return [...problems, ...unhandled.splice(0).map((reason) => `unhandled: ${String(reason)}`)];
}

describe.each(PHASES)('Every method, when something goes wrong %s', (phase) => {
  const at = <F extends Fault>(faults: readonly F[]) =>
    faults.filter((fault) => fault.phase === phase).map((fault) => [fault.name, fault] as const);

  test.each(at(ANSWER_FAULTS))('%s', async (_, fault) => {
    expect(await problemsOf(fault, answerCell, (call) => timesOf(call, fault.meaning))).toEqual([]);
  });

  test.each(at(SOCKET_FAULTS))('over a socket: %s', { timeout: 30_000 }, async (_, fault) => {
    expect(await problemsOf(fault, socketCell, () => socketTimesOf(fault))).toEqual([]);
  });
});

describe('The matrix', () => {
  const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });

  test('has every method that sends something', () => {
    // It looks at a domain that the caller has already.
    const methods = resourceMethods(client).filter(({ name }) => name !== 'sendingDomains.isVerified');
    const called = new Set(CALLS.map(methodOf));
    called.delete('request');
    expect([...called].sort()).toEqual(methods.map(({ name }) => name).sort());
  });

  test('takes for harmful what the client does not repeat', async () => {
    const harmful = new Set(
      (await recordedEndpoints(client)).filter((e) => !e.isRepeatable).map((e) => e.method),
    );
    const called = CALLS.filter(({ repeated }) => repeated === 'does it twice').map(methodOf);
    expect(new Set(called)).toEqual(new Set([...harmful, 'sending.batchAll', 'request']));
  });
});
