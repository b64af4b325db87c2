/** Shows that a request is under way, also to screen readers. */
export function Slow({ isSlow }: { readonly isSlow: boolean }) {
  return (
    <p class="slow" role="status">
      {isSlow ? 'Still loading …' : ''}
    </p>
  );
}
