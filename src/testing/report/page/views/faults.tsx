import { useState } from 'preact/hooks';
import type { LiveFault } from '../../data/live-data.ts';
import { Field, Outcome, useAction } from '../widgets/action.tsx';
import { ask, useLive } from '../live/live.ts';
import { hashOf } from '../parts/route.ts';

/** The failures to choose from, with their labels. */
const FAILURES = {
  'A status 500': { kind: 'status', status: 500, body: { error: 'Internal Server Error' } },
  'A status 503': { kind: 'status', status: 503, body: { error: 'Service Unavailable' } },
  'A status 429, too many requests': { kind: 'status', status: 429 },
  'A gateway’s HTML page, 502': { kind: 'html' },
  'The connection breaks before the service acts': { kind: 'reset-before' },
  'The service acts, then the connection breaks': { kind: 'reset-after' },
  'No response at all': { kind: 'stall' },
  'A response after 5 s': { kind: 'slow', delayMs: 5_000 },
} as const;
type Failure = keyof typeof FAILURES;
const NAMES = Object.keys(FAILURES) as Failure[];

type Match = LiveFault['match'];

/** A form that makes the next request fail, or the next request that matches. */
export function FailForm({ match, label }: { match?: Match; label: string }) {
  const [failure, setFailure] = useState<Failure>('A status 500');
  const { result, isBusy, run } = useAction();
  const [made, setMade] = useState<number>();
  const waiting = useLive()?.faults.find(({ id }) => id === made);
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await ask('POST', 'faults', { ...FAILURES[failure], ...(match && { match }) });
      const { faults } = (await ask('GET', 'faults')) as { faults: readonly LiveFault[] };
      setMade(faults.findLast(({ kind }) => kind === FAILURES[failure].kind)?.id);
      return '';
    });
  };
  const undo = (id: number) =>
    run(async () => {
      await ask('DELETE', `faults/${id}`);
      setMade(undefined);
      return 'Undone';
    });
  return (
    <form class="line-form" onSubmit={submit}>
      <Field label="How it fails">
        <select value={failure} onChange={({ currentTarget }) => setFailure(currentTarget.value as Failure)}>
          {NAMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <button type="submit" disabled={isBusy}>
        {label}
      </button>
      {waiting && (
        <p class="outcome" role="status">
          The next {requestsOf(waiting.match)} gets {failureOf(waiting)}.{' '}
          <button type="button" disabled={isBusy} onClick={() => undo(waiting.id)}>
            Undo
          </button>
          {match && (
            <>
              , or see <a href={hashOf('service')}>Service</a>
            </>
          )}
        </p>
      )}
      <Outcome result={result} />
    </form>
  );
}

const pathOf = ({ path }: NonNullable<Match>) => (typeof path === 'object' ? `/${path.regexp}/` : path);

/** `POST /api/send`. The host is named where the path alone does not tell the stream. */
function requestsOf(match: Match): string {
  const { method, host } = match ?? {};
  const path = match && pathOf(match);
  const line = [method, path ?? 'request'].filter((part) => part !== undefined).join(' ');
  return host === undefined || (host === 'send' && path !== undefined) ? line : `${line} to ${host}`;
}

/** `status 500`. */
const failureOf = ({ kind, status, delayMs }: LiveFault): string =>
  [kind, status, delayMs === undefined ? undefined : `${delayMs} ms`]
    .filter((part) => part !== undefined)
    .join(' ');

/** `Next POST /api/send → status 500, once`. */
export function wordsOf(fault: LiveFault): string {
  const { match, times, always } = fault;
  const isAlways = always === true || times === 'Infinity';
  const left = isAlways ? 'always' : (times ?? 1) === 1 ? 'once' : `${times} times`;
  return `${isAlways ? 'Every' : 'Next'} ${requestsOf(match)} → ${failureOf(fault)}, ${left}`;
}

/** The planned failures, each with a switch. */
export function PlannedFailures({ faults }: { faults: readonly LiveFault[] }) {
  const { result, run } = useAction();
  const change = (method: string, path: string, text: string) =>
    run(async () => {
      await ask(method, path);
      return text;
    });
  return (
    <section>
      <h2>Planned failures</h2>
      {faults.length === 0 ? (
        <p class="quiet">
          No failure is planned. A <a href={hashOf('requests')}>request</a> has a button that fails the next
          one like it.
        </p>
      ) : (
        <ul class="links">
          {faults.map((fault) => (
            <li key={fault.id}>
              <label class="switch">
                <input
                  type="checkbox"
                  role="switch"
                  checked={!fault.paused}
                  onChange={() =>
                    change('POST', `faults/${fault.id}/${fault.paused ? 'resume' : 'pause'}`, '')
                  }
                />
                <span>{wordsOf(fault)}</span>
              </label>
              <button
                type="button"
                aria-label={`Remove ${wordsOf(fault)}`}
                onClick={() => change('DELETE', `faults/${fault.id}`, 'Removed')}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <FailForm label="Fail the next request" />
      <Outcome result={result} />
    </section>
  );
}
