/** A campaign's state, in words. */
export function State({ state }: { readonly state: string }) {
  return <span class={`state ${state}`}>{state.replaceAll('_', ' ')}</span>;
}
