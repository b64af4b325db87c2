import { AbortedError, EmailPlatform, type BatchOutcome, type BatchRequest } from 'email-platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { broken } from '../../support/scripted-fetch.ts';
import { settle } from '../../support/virtual-time.ts';
import { counted, indexes, mailTo, upTo } from './batch-runs.ts';
import { runs } from '../../support/extent.ts';

/** The possible outcomes of one call. */
const fates = [
  'accepted',
  'some',
  'none',
  'lost',
  'refused',
  'failed',
  'unreadable',
  'unauthorized',
] as const;
type Fate = (typeof fates)[number];

interface Mail {
  readonly kind: 'good' | 'large' | 'unwritable' | 'none';
}

const requestOf = ({ kind }: Mail, index: number): BatchRequest => {
  const mail = { ...mailTo(index), custom_variables: { index } };
  if (kind === 'none') return index as unknown as BatchRequest;
  if (kind === 'unwritable') return { ...mail, headers: { n: 1n as unknown as string } };
  return kind === 'large' ? { ...mail, html: large } : mail;
};
/** Two of them do not fit into a call. */
const large = 'x'.repeat(26_000_000);

/** A service that gives each call the outcome chosen for it, and records which emails it accepted. */
function service(fatesOfCalls: readonly Fate[]) {
  const taken: number[] = [];
  const told: number[] = [];
  let calls = 0;
  let underWay = 0;
  const seen = { most: 0 };
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const fate = fatesOfCalls[calls % fatesOfCalls.length] ?? 'accepted';
    calls += 1;
    underWay += 1;
    seen.most = Math.max(seen.most, underWay);
    const { requests } = (await new Request(input, init).json()) as {
      requests: { custom_variables: { index: number } }[];
    };
    for (let turns = calls % 3; turns > 0; turns -= 1) await settle();
    underWay -= 1;
    const numbers = requests.map(({ custom_variables }) => custom_variables.index);
    if (fate === 'refused') return Response.json({ errors: ['no'] }, { status: 400 });
    if (fate === 'unauthorized') return Response.json({ errors: ['no'] }, { status: 401 });
    const isTaken = (index: number) => fate !== 'none' && (fate !== 'some' || index % 2 === 0);
    taken.push(...numbers.filter(isTaken));
    if (fate === 'lost') throw broken('ECONNRESET', 'read');
    if (fate === 'failed') return new Response('', { status: 502 });
    if (fate === 'unreadable') return new Response('OK');
    told.push(...numbers.filter(isTaken));
    const responses = numbers.map((index) =>
      isTaken(index) ? { success: true, message_ids: [String(index)] } : { success: false, errors: ['no'] },
    );
    return Response.json({ success: true, responses });
  };
  return { fetch, taken, told, seen };
}

const plans = fc.record({
  mails: fc.array(
    fc.record({
      kind: fc.oneof(
        { weight: 97, arbitrary: fc.constant('good' as const) },
        { weight: 1, arbitrary: fc.constantFrom('unwritable' as const, 'none' as const) },
      ),
    }),
    { maxLength: 2600, size: 'max' },
  ),
  // Few: they take long to write and to read.
  larges: fc.oneof(
    { weight: 5, arbitrary: fc.constant<number[]>([]) },
    fc.array(fc.nat(2600), { maxLength: 2 }),
  ),
  calls: fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 6 }),
  concurrency: fc.integer({ min: 1, max: 5 }),
  isAsync: fc.boolean(),
  throwsAt: fc.option(fc.nat(2600), { freq: 4 }),
  abortsAt: fc.option(fc.nat(2600), { freq: 4 }),
});

test('property: every email that was read gets exactly one outcome, and the right one', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ mails, larges, calls, concurrency, isAsync, throwsAt, abortsAt }) => {
      const { fetch, taken, told, seen } = service(calls);
      const { sending } = new EmailPlatform({
        token: 'token',
        hosts: { send: 'https://send.test' },
        fetch,
        retry: false,
        throttle: false,
      });
      let read = 0;
      const failure = new Error('the input broke');
      const next = () => {
        if (read === throwsAt) throw failure;
        const mail = mails[read];
        if (mail === undefined) return { done: true as const, value: undefined };
        const value = requestOf(larges.includes(read) ? { kind: 'large' } : mail, read);
        read += 1;
        return { value };
      };
      const settleSometimes = () => (read % 97 === 0 ? settle() : Promise.resolve());
      const source = isAsync
        ? { [Symbol.asyncIterator]: () => ({ next: async () => (await settleSometimes(), next()) }) }
        : { [Symbol.iterator]: () => ({ next }) };
      const controller = new AbortController();
      const outcomes: BatchOutcome[] = [];
      let thrown: unknown;
      try {
        for await (const outcome of sending.batchAll(source, { concurrency, signal: controller.signal })) {
          if (outcomes.push(outcome) === abortsAt) controller.abort();
        }
      } catch (error) {
        thrown = error;
      }

      // An asynchronous input may produce an email after the run is over.
      const isLate = isAsync && thrown instanceof AbortedError && outcomes.length === read - 1;
      expect(indexes(outcomes)).toEqual(upTo(isLate ? read - 1 : read));
      for (const { index, request, status, message_ids } of outcomes) {
        expect(request as { custom_variables?: unknown } | number).toSatisfy(
          (one) =>
            one === index ||
            (one as { custom_variables: { index: number } }).custom_variables.index === index,
        );
        if (status === 'accepted') expect(message_ids).toEqual([String(index)]);
      }
      const isOneOf = (numbers: number[]) => {
        const known = new Set(numbers);
        return ({ index }: BatchOutcome) => known.has(index);
      };
      const withStatus = (status: string) => outcomes.filter((outcome) => outcome.status === status);
      // No email was sent twice, and none that was sent is reported as not sent.
      expect(new Set(taken).size).toBe(taken.length);
      expect(withStatus('not_sent').filter(isOneOf(taken))).toEqual([]);
      expect(withStatus('rejected').filter(isOneOf(taken))).toEqual([]);
      expect(withStatus('accepted').every(isOneOf(told))).toBe(true);
      expect(seen.most).toBeLessThanOrEqual(concurrency);
      if (thrown instanceof AbortedError) expect(abortsAt).toBeLessThanOrEqual(outcomes.length);
      else {
        expect(thrown).toBe(read === throwsAt && read <= mails.length ? failure : undefined);
        expect(counted(outcomes).accepted ?? 0).toBe(told.length);
      }
    }),
    // Not shrunk: finding the smallest failing case would take minutes.
    { numRuns: runs(60), endOnFailure: true },
  );
});
