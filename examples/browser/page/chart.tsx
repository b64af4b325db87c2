import type { EmailPlatform } from 'email-platform';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const FIGURES = [
  ['Sent', 'sent_count'],
  ['Delivered', 'delivery_count'],
  ['Opened', 'open_count'],
  ['Clicked', 'click_count'],
  ['Bounced', 'bounce_count'],
] as const;

const number = new Intl.NumberFormat('en');
const HEIGHT = 260;
const INK = '#3d4655';
const FONT = '12px system-ui, sans-serif';

const bars = uPlot.paths.bars?.({ size: [0.6, 80] });

/** The outcomes of a campaign's emails, as bars, and as figures for screen readers. */
export function Chart({ stats }: { readonly stats: EmailPlatform.CampaignStats }) {
  const box = useRef<HTMLDivElement>(null);
  const counts = FIGURES.map(([, field]) => stats[field]);
  useEffect(() => {
    const { current: holder } = box;
    if (!holder) return undefined;
    const plot = new uPlot(
      {
        width: holder.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: [-0.6, FIGURES.length - 0.4] }, y: { range: [0, null] } },
        axes: [
          {
            stroke: INK,
            font: FONT,
            grid: { show: false },
            splits: FIGURES.map((_, index) => index),
            values: FIGURES.map(([name]) => name),
          },
          {
            stroke: INK,
            font: FONT,
            size: 56,
            values: (_, splits) => splits.map((split) => number.format(split)),
          },
        ],
        series: [
          {},
          { fill: '#2f5fb3', stroke: '#2f5fb3', points: { show: false }, ...(bars && { paths: bars }) },
        ],
      },
      [FIGURES.map((_, index) => index), counts],
      holder,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: holder.clientWidth, height: HEIGHT }));
    observer.observe(holder);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [stats]);
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">What became of it</h2>
      <div ref={box} class="chart" aria-hidden="true" />
      <dl class="figures">
        {FIGURES.map(([name, field]) => (
          <div key={field}>
            <dt>{name}</dt>
            <dd>{number.format(stats[field])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
