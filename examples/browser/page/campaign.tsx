import { Chart } from './chart.tsx';
import { client } from './client.ts';
import { Draft } from './draft.tsx';
import { useLoad } from './load.ts';
import { Problem } from './problem.tsx';
import { Slow } from './slow.tsx';
import { State } from './state.tsx';
import { TestMail } from './test-mail.tsx';

/** One campaign: a form for a draft, figures for any other. */
export function CampaignView({ id }: { readonly id: number }) {
  const { data, error, isLoading, isSlow, reload } = useLoad(
    async (signal) => {
      const campaign = await client.campaigns.get(id, { signal });
      const isDraft = campaign.current_state === 'draft';
      return {
        campaign,
        isDraft,
        stats: isDraft ? undefined : await client.campaigns.stats(id, {}, { signal }),
      };
    },
    [id],
  );
  return (
    <main aria-busy={isLoading}>
      <p>
        <a href="#/">All campaigns</a>
      </p>
      <h1 tabIndex={-1}>{data?.campaign.name ?? 'Campaign'}</h1>
      <Slow isSlow={isSlow} />
      {error !== undefined && <Problem error={error} retry={reload} />}
      {data && (
        <>
          <p>
            <State state={data.campaign.current_state} /> {data.campaign.template.subject}
          </p>
          {data.stats && <Chart stats={data.stats} />}
          {data.isDraft && <Draft campaign={data.campaign} onSaved={reload} />}
          <TestMail campaign={data.campaign} />
        </>
      )}
    </main>
  );
}
