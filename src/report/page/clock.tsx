import { useEffect, useState } from 'preact/hooks';
import { Outcome, useAction } from './action.tsx';
import { fullTime } from './format.ts';
import { ask, type Live } from './live.ts';

const STEPS = [
  ['+1 min', 60_000],
  ['+1 h', 3_600_000],
  ['+1 day', 86_400_000],
] as const;

/** The emulator's clock beside the reader's clock, with buttons to move and pause it. */
export function Clock({ live: { clock, clockAt } }: { live: Live }) {
  const [, tick] = useState(0);
  const { result, run } = useAction();
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const now = clock.now + (clock.paused ? 0 : performance.now() - clockAt);
  const move = (path: string, body?: unknown) =>
    run(async () => {
      await ask('POST', `clock/${path}`, body);
      return '';
    });
  return (
    <section class="clock" aria-label="Clock">
      <span>
        Emulator’s clock <time dateTime={new Date(now).toISOString()}>{fullTime(now)}</time>
        {clock.paused && ' (paused)'}
      </span>
      <span class="quiet">your time {fullTime(Date.now())}</span>
      <span class="tools">
        {STEPS.map(([name, ms]) => (
          <button key={name} type="button" onClick={() => move('advance', { ms })}>
            {name}
          </button>
        ))}
        <button type="button" onClick={() => move(clock.paused ? 'resume' : 'pause')}>
          {clock.paused ? 'Resume' : 'Pause'}
        </button>
      </span>
      <Outcome result={result} />
    </section>
  );
}
