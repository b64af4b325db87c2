import type { EmailPlatform } from 'email-platform';
import { useEffect, useState } from 'preact/hooks';
import { client } from './client.ts';
import { useLoad } from './load.ts';
import { Problem } from './problem.tsx';
import { Slow } from './slow.tsx';
import { State } from './state.tsx';

const number = new Intl.NumberFormat('en');
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** The text, after a pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function Row({ campaign }: { readonly campaign: EmailPlatform.CampaignSummary }) {
  const { id, name, current_state: state, recipient_total_count: recipients, updated_at: changed } = campaign;
  return (
    <li>
      <a href={`#/campaigns/${id}`}>{name}</a>
      <State state={state} />
      <span>{recipients === null ? 'no recipients yet' : `${number.format(recipients)} recipients`}</span>
      <time dateTime={changed}>{day.format(new Date(changed))}</time>
    </li>
  );
}

/** All campaigns, ten on a page, with the search of the service. */
export function Campaigns() {
  const [typed, setTyped] = useState('');
  const [token, setToken] = useState(1);
  const search = useSettled(typed);
  const { data, error, isLoading, isSlow, reload } = useLoad(
    (signal) => client.campaigns.list({ per_page: 10, token, ...(search !== '' && { search }) }, { signal }),
    [search, token],
  );
  const { prev_token: previous = null, next_token: next = null } = data?.pagination ?? {};
  return (
    <main aria-busy={isLoading}>
      <h1 tabIndex={-1}>Campaigns</h1>
      <label class="search">
        Search
        <input
          type="search"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setToken(1);
          }}
        />
      </label>
      <Slow isSlow={isSlow} />
      {error !== undefined && <Problem error={error} retry={reload} />}
      {data && (
        <>
          <ul class="campaigns">
            {data.data.map((campaign) => (
              <Row key={campaign.id} campaign={campaign} />
            ))}
          </ul>
          {data.data.length === 0 && <p>No campaign fits.</p>}
          <nav aria-label="Pages">
            <button type="button" disabled={previous === null} onClick={() => setToken(previous ?? 1)}>
              Previous
            </button>
            <span role="status">Page {data.pagination.token}</span>
            <button type="button" disabled={next === null} onClick={() => setToken(next ?? 1)}>
              Next
            </button>
          </nav>
        </>
      )}
    </main>
  );
}
