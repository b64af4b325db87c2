import type { Live } from '../live/live.ts';

/** Says that this browser hides the earlier mails and requests, and shows them again. */
export const HiddenNote = ({ live }: { live: Live }) => (
  <section class="empty">
    <h2>The earlier emails and requests are hidden</h2>
    <p>Only this browser hides them. New ones appear here.</p>
    <button type="button" onClick={() => live.hide(false)}>
      Show the earlier emails and requests
    </button>
  </section>
);
