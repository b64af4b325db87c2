/** The mark of the page: an envelope with a tick. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="22" height="22" role="img" aria-label="email-platform">
    <rect width="24" height="24" rx="6" fill="var(--accent)" />
    <path
      d="M5 8.2A1.2 1.2 0 0 1 6.2 7h11.6A1.2 1.2 0 0 1 19 8.2v7.6a1.2 1.2 0 0 1-1.2 1.2H6.2A1.2 1.2 0 0 1 5 15.8Z M5.4 7.9l4.9 4.6 2 2.1 6.3-6.7"
      fill="none"
      stroke="var(--ground)"
      stroke-width="1.5"
      stroke-linejoin="round"
    />
  </svg>
);
