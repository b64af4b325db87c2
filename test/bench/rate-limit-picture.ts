/** One request as the service saw it. */
export interface Arrival {
  /** Milliseconds since the first. */
  readonly at: number;
  readonly isRefused: boolean;
}

/** One client's requests, and the texts above them. */
export interface Panel {
  readonly title: string;
  /** The result in numbers. */
  readonly result: string;
  readonly arrivals: readonly Arrival[];
}

const LIMIT = 150;
const WINDOW_MS = 10_000;
const STEP_MS = 100;

const WIDTH = 860;
const LEFT = 64;
const RIGHT = 120;
const PANEL_HEIGHT = 190;
const PANEL_GAP = 80;
const TOP = 84;

const BLUE = '#2563eb';
const RED = '#dc2626';
const INK = '#1f2937';
const PALE = '#6b7280';

/** How many of these had arrived within the last window: the maximum in each step. */
function lastWindow(times: readonly number[], endMs: number): number[] {
  const counts: number[] = [];
  let first = 0;
  let next = 0;
  for (let step = 0; step <= endMs; step += STEP_MS) {
    let most = 0;
    for (; next < times.length && (times[next] ?? Infinity) < step + STEP_MS; next += 1) {
      while ((times[first] ?? Infinity) <= (times[next] ?? 0) - WINDOW_MS) first += 1;
      most = Math.max(most, next - first + 1);
    }
    while ((times[first] ?? Infinity) <= step + STEP_MS - WINDOW_MS) first += 1;
    counts.push(Math.max(most, next - first));
  }
  return counts;
}

const round = (value: number) => String(Math.round(value * 10) / 10);

/** A step curve of these counts, closed along the axis. */
function area(counts: readonly number[], x: (ms: number) => number, y: (count: number) => number): string {
  let path = `M${round(x(0))} ${round(y(0))}`;
  let last = 0;
  for (const [index, count] of counts.entries()) {
    if (count === last) continue;
    path += `H${round(x(index * STEP_MS))}V${round(y(count))}`;
    last = count;
  }
  return `${path}H${round(x(counts.length * STEP_MS))}V${round(y(0))}Z`;
}

/**
 * Draws, in one panel for each client, how many requests the service had received within the last window at any time:
 * those it counted, and on top of them those it refused.
 */
export function draw(panels: readonly Panel[]): string {
  const lastMs = Math.max(...panels.flatMap(({ arrivals }) => arrivals.map(({ at }) => at)));
  const endMs = Math.ceil((lastMs + 1000) / 5000) * 5000;
  const totals = panels.map(({ arrivals }) =>
    lastWindow(
      arrivals.map(({ at }) => at),
      endMs,
    ),
  );
  const highest = Math.max(...totals.flat()) + 20;
  const line = [50, 100, 250, 500, 1000].find((step) => highest / step <= 6) ?? 5000;
  const most = Math.ceil(highest / line) * line;
  const height = TOP + panels.length * (PANEL_HEIGHT + PANEL_GAP) - 4;
  const x = (ms: number) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.min(ms, endMs)) / endMs;
  const text = (at: readonly [number, number], words: string, more = '') =>
    `<text x="${round(at[0])}" y="${round(at[1])}" ${more}>${words}</text>`;

  const drawn = panels.map(({ title, result, arrivals }, index) => {
    const top = TOP + index * (PANEL_HEIGHT + PANEL_GAP);
    const ground = top + PANEL_HEIGHT;
    const y = (count: number) => ground - (PANEL_HEIGHT * count) / most;
    const counted = arrivals.filter(({ isRefused }) => !isRefused).map(({ at }) => at);
    const isRefusing = counted.length < arrivals.length;
    const grid = Array.from({ length: most / line + 1 }, (_, index) => index * line).flatMap((count) => [
      `<path d="M${LEFT} ${round(y(count))}H${WIDTH - RIGHT}" stroke="#e5e7eb"/>`,
      text([LEFT - 8, y(count) + 4], String(count), 'text-anchor="end" class="pale"'),
    ]);
    const seconds = Array.from({ length: endMs / 5000 + 1 }, (_, mark) => mark * 5000).flatMap((ms) => [
      `<path d="M${round(x(ms))} ${ground}v5" stroke="${PALE}"/>`,
      text(
        [x(ms), ground + 18],
        ms === endMs ? `${ms / 1000} s` : String(ms / 1000),
        'text-anchor="middle" class="pale"',
      ),
    ]);
    return [
      text([LEFT, top - 30], title, 'class="title"'),
      text([LEFT, top - 12], result, 'class="pale"'),
      ...grid,
      ...(isRefusing
        ? [`<path d="${area(totals[index] ?? [], x, y)}" fill="${RED}" fill-opacity=".75"/>`]
        : []),
      `<path d="${area(lastWindow(counted, endMs), x, y)}" fill="${BLUE}" fill-opacity="${isRefusing ? 1 : 0.85}"/>`,
      `<path d="M${LEFT} ${round(y(LIMIT))}H${WIDTH - RIGHT}" stroke="${INK}" stroke-width="1.5" stroke-dasharray="6 4"/>`,
      text([WIDTH - RIGHT + 8, y(LIMIT) - 1], 'the limit:', 'class="limit"'),
      text([WIDTH - RIGHT + 8, y(LIMIT) + 13], '150 in 10 s', 'class="limit"'),
      `<path d="M${LEFT} ${ground}H${WIDTH - RIGHT}" stroke="${PALE}"/>`,
      ...seconds,
    ].join('\n');
  });

  const legend = [
    `<rect x="${LEFT}" y="14" width="12" height="12" fill="${BLUE}" fill-opacity=".85"/>`,
    text([LEFT + 18, 24], 'answered'),
    `<rect x="${LEFT + 100}" y="14" width="12" height="12" fill="${RED}" fill-opacity=".75"/>`,
    text([LEFT + 118, 24], 'refused with 429'),
    text(
      [WIDTH - RIGHT, 24],
      'requests received within the last 10 seconds',
      'text-anchor="end" class="pale"',
    ),
  ];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="${INK}" role="img">`,
    `<title>${panels.map(({ title, result }) => `${title}: ${result}`).join('. ')}</title>`,
    `<style>.pale{fill:${PALE};font-size:12px}.limit{font-size:12px}.title{font-weight:600;font-size:14px}</style>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...legend,
    ...drawn,
  ].join('\n')}\n</svg>\n`;
}
