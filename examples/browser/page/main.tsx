import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CampaignView } from './campaign.tsx';
import { Campaigns } from './campaigns.tsx';
import './style.css';

/** The campaign in the address; undefined for the list of all. */
const campaignInAddress = () => {
  const [, id] = /^#\/campaigns\/(\d+)$/.exec(location.hash) ?? [];
  return id === undefined ? undefined : Number(id);
};

function App() {
  const [id, setId] = useState(campaignInAddress);
  useEffect(() => {
    const follow = () => {
      setId(campaignInAddress());
      // A screen reader announces the new page.
      requestAnimationFrame(() => document.querySelector('h1')?.focus());
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return id === undefined ? <Campaigns /> : <CampaignView key={id} id={id} />;
}

const app = document.querySelector('#app');
if (app) render(<App />, app);
