import { useEffect, useState } from 'preact/hooks';
import { Outcome, useAction } from './action.tsx';
import { fullTime } from './format.ts';
import { ask, type Live } from './live.ts';

const STEPS = [
  ['+1 min', 60_000],
  ['+1 h', 3_600_000],
  ['+1 day', 86_400_000],
] as const;

/** The emulator's clock beside the reader's, with what moves it. */
export function Clock({ live: { clock, clockAt } }: { live: Live }) {
  const [, tick] = useState(0);
  const { said, run } = useAction();
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
      <span class="own-time">
        Emulator’s clock <time dateTime={new Date(now).toISOString()}>{fullTime(now)}</time>
      </span>
      <span class="quiet your-time">your time {fullTime(Date.now())}</span>
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
      {clock.paused && <span>(paused)</span>}
      <Outcome said={said} />
    </section>
  );
}
