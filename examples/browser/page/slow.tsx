/** Says that something is under way, also to those who do not see it. */
export function Slow({ isSlow }: { readonly isSlow: boolean }) {
  return (
    <p class="slow" role="status">
      {isSlow ? 'Still loading …' : ''}
    </p>
  );
}
