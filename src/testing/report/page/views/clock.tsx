import { Outcome, useAction } from '../widgets/action.tsx';
import type { Due } from '../../data/live-data.ts';
import { counted, fullTime, shortTime } from '../parts/format.ts';
import { ask, clockOf, useTicking, type Live } from '../live/live.ts';

const STEPS = [
  ['+1 min', 60_000, '1 minute later'],
  ['+1 h', 3_600_000, '1 hour later'],
  ['+1 day', 86_400_000, '1 day later'],
] as const;

/** `2 events, 1 webhook post`. */
function wordsOf({ events, posts }: Due): string {
  if (events + posts === 0) return 'no event was due';
  return [events > 0 && counted(events, 'event'), posts > 0 && counted(posts, 'webhook post')]
    .filter((part) => part !== false)
    .join(', ');
}

/** The emulator's clock beside the reader's clock, with buttons to move and pause it. */
export function Clock({ live }: { live: Live }) {
  const { clock } = live;
  const { result, run } = useAction();
  const now = clockOf(live);
  const ownTime = useTicking(() => fullTime(clockOf(live)));
  const yourTime = useTicking(() =>
    Math.abs(clockOf(live) - Date.now()) < 1_000 ? '' : `you ${shortTime(Date.now(), clockOf(live))}`,
  );
  const advance = (ms: number, words: string) =>
    run(async () => {
      const { now: to } = (await ask('POST', 'clock/advance', { ms })) as { now: number };
      return `${words}: ${wordsOf((await ask('GET', `live/due?from=${to - ms}&to=${to}`)) as Due)}`;
    });
  const move = (path: string) =>
    run(async () => {
      await ask('POST', `clock/${path}`);
      return '';
    });
  return (
    <section class="clock" aria-label="Clock">
      <span class="own-time">
        <span class="label">Emulator’s clock</span>{' '}
        <time dateTime={new Date(now).toISOString()}>{ownTime}</time>
      </span>
      <span class="your-time">{yourTime}</span>
      <span class="tools">
        {STEPS.map(([name, ms, words]) => (
          <button key={name} type="button" onClick={() => advance(ms, words)}>
            {name}
          </button>
        ))}
        <button type="button" onClick={() => move(clock.paused ? 'resume' : 'pause')}>
          {clock.paused ? 'Resume' : 'Pause'}
        </button>
      </span>
      <div class="state">
        {clock.paused && '(paused) '}
        <Outcome result={result} />
      </div>
    </section>
  );
}
