import type { ReportLimit } from '../../data/data.ts';
import { count, duration } from '../parts/format.ts';

export function Limits({ limits }: { limits: readonly ReportLimit[] }) {
  if (limits.length === 0) return <p class="placeholder">No request was counted by a limit.</p>;
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Limits">
      <table>
        <thead>
          <tr>
            <th scope="col">Pool</th>
            <th scope="col">Limit</th>
            <th scope="col">Peak use</th>
            <th scope="col">429s</th>
          </tr>
        </thead>
        <tbody>
          {limits.map(({ pool, requests, perMs, mostUsed, refused }) => (
            <tr key={pool}>
              <th scope="row">{pool}</th>
              <td>
                {count(requests)} in {duration(perMs)}
              </td>
              <td>{count(mostUsed)}</td>
              <td class={refused > 0 ? 'bad' : undefined}>{count(refused)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
