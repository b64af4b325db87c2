/** Keyboard shortcuts of the whole page. While a field has the focus, only Escape works. */

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Selects the next or the previous row. The focus stays in the list. */
function step(by: number): boolean {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('[data-row]')];
  const current = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const focused = rows.indexOf(document.activeElement as HTMLAnchorElement);
  const from = focused >= 0 ? focused : current;
  const next = rows[from < 0 ? (by > 0 ? 0 : rows.length - 1) : from + by];
  if (!next) return false;
  history.replaceState(null, '', next.getAttribute('href'));
  dispatchEvent(new CustomEvent('route'));
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Empties a field. The event `input` removes its filter. */
function clear(field: HTMLInputElement): void {
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Whether the focus is in the list or on the body. There the arrow keys select rows; elsewhere they scroll. */
const isInList = () =>
  document.activeElement === document.body || document.activeElement?.closest('.list') !== null;

export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const search = document.querySelector<HTMLInputElement>('#search');
  const field = document.activeElement;
  const isSearch = field instanceof HTMLInputElement && field.type === 'search';
  if (isSearch && (event.key === 'Escape' || event.key === 'Enter')) {
    if (event.key === 'Escape') clear(field);
    event.preventDefault();
    field.blur();
    return;
  }
  if (event.key === 'Escape') {
    if (isField(document.activeElement)) (document.activeElement as HTMLElement).blur();
    else {
      const back = document.querySelector<HTMLAnchorElement>('.back');
      if (back) location.hash = back.hash;
    }
    return;
  }
  if (isField(event.target)) return;
  if (event.key === '/') {
    event.preventDefault();
    search?.focus();
    search?.select();
    return;
  }
  // The row of the open item leads into it.
  if (event.key === 'Enter' && document.activeElement?.matches('.row[aria-current]') === true) {
    event.preventDefault();
    document.querySelector<HTMLElement>('.detail .title')?.focus();
    return;
  }
  const by = STEPS[event.key];
  if (by === undefined || (event.key.startsWith('Arrow') && !isInList())) return;
  if (step(by)) event.preventDefault();
}
