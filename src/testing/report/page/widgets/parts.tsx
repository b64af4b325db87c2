/** Small parts that the views share. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { age, bytes, count, fullTime, shortTime } from '../parts/format.ts';
import { statusOf } from '../parts/problems.ts';
import { clockOf, useLive, useTicking } from '../live/live.ts';

/** A time in the reader's time zone, with the whole date as its title. */
export function Time({ at, reference }: { at: number; reference?: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {reference === undefined ? fullTime(at) : shortTime(at, reference)}
    </time>
  );
}

/** The age of an item on the live page, and its time in a file. The emulator's clock counts, as events follow it. */
export function When({
  item: { at, clockAt },
  reference,
}: {
  item: { readonly at: number; readonly clockAt: number };
  reference: number;
}) {
  const live = useLive();
  const isMoved = Math.abs(clockAt - at) >= 1_000;
  const shown = isMoved ? clockAt : at;
  const text = useTicking(() => (live ? age(clockAt, clockOf(live)) : shortTime(shown, reference)));
  return (
    <time
      dateTime={new Date(shown).toISOString()}
      title={fullTime(at) + (isMoved ? `, on the emulator’s clock ${fullTime(clockAt)}` : '')}
    >
      {text}
    </time>
  );
}

/**
 * Shows a message in place of content that cannot be shown: an email costs its own place, and not the page. Tries again
 * with other content, which `of` names.
 */
export function Boundary({ children, of = '' }: { children: ComponentChildren; of?: string }) {
  const [failed, setFailed] = useState<{ readonly of: string; readonly message: string }>();
  useErrorBoundary(({ message }: Error) => setFailed({ of, message }));
  if (failed?.of !== of) return <>{children}</>;
  return (
    <p class="placeholder" role="alert">
      This cannot be shown: {failed.message}
    </p>
  );
}

/** A sentence whose parts between backticks are code. */
export const Words = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);

/** The words of the search. */
export const Searched = createContext<readonly string[]>([]);

/** A text in which the words of the search are marked. */
export function Hits({ text }: { text: string }) {
  const words = useContext(Searched);
  const lower = text.toLowerCase();
  const parts: ComponentChildren[] = [];
  let end = 0;
  // A letter whose small form is longer would shift the marks.
  while (words.length > 0 && lower.length === text.length) {
    const hits = words.map((word) => ({ word, at: lower.indexOf(word, end) })).filter(({ at }) => at >= 0);
    const [first] = hits.sort((a, b) => a.at - b.at || b.word.length - a.word.length);
    if (first === undefined) break;
    const next = first.at + first.word.length;
    parts.push(text.slice(end, first.at), <mark>{text.slice(first.at, next)}</mark>);
    end = next;
  }
  return <>{[...parts, text.slice(end)]}</>;
}

export type Tone = 'bad' | 'warn' | 'good' | 'quiet';

export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export const Status = ({ status }: { status: number | null }) => (
  <Badge tone={status === null || status >= 400 ? 'bad' : 'good'}>{statusOf(status)}</Badge>
);

/** A button that copies a text, and confirms it for two seconds. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (message === '') return;
    const timer = setTimeout(() => setMessage(''), 2_000);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setMessage('Copied'),
      () => setMessage('The browser refused to copy'),
    );
  return (
    <span class="copy">
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span role="status">{message}</span>
    </span>
  );
}

/** The number of characters shown at first. */
const SHOWN = 200_000;

/** A text without formatting, in a box that scrolls. A button shows the rest of a long text. */
export function Verbatim({ text, label }: { text: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > SHOWN && !isWhole;
  return (
    <>
      <pre class="verbatim" tabIndex={0} role="region" aria-label={label}>
        {isCut ? text.slice(0, SHOWN) : text}
      </pre>
      {isCut && (
        <p>
          The first {bytes(SHOWN)} of {bytes(text.length)}.{' '}
          <button type="button" onClick={() => setWhole(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

export const Facts = ({ facts }: { facts: readonly (readonly [string, ComponentChildren] | false)[] }) => (
  <dl class="facts">
    {facts.map(
      (fact) =>
        fact !== false && (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
    )}
  </dl>
);

/** Names with values, one below the other. */
export const Pairs = ({ pairs }: { pairs: readonly (readonly [string, string])[] }) => (
  <dl class="pairs">
    {pairs.map(([name, value], index) => (
      <div key={index}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly count?: number;
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly select: (id: string) => void;
  readonly label: string;
}

/** Shows one of several panels. The arrow keys switch panels, as in the ARIA pattern for tabs. */
export function Tabs({ tabs, selected, select, label }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ id }) => id === selected) ?? tabs[0];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !current) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    if (!next) return;
    select(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  if (!current) return null;
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ id, name, count: items }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current.id}
            aria-controls="panel"
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => select(id)}
          >
            {name}
            {items !== undefined && <small> {count(items)}</small>}
          </button>
        ))}
      </div>
      <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${current.id}`} tabIndex={0}>
        <Boundary of={current.id}>{current.content()}</Boundary>
      </div>
    </>
  );
}

/** Rows of one page: each new email of the live page costs time for every row. */
const PAGE = 100;

interface PagedProps<T extends { readonly id: string }> {
  readonly items: readonly T[];
  readonly selected: string | null;
  readonly children: (item: T) => ComponentChildren;
}

/** Shows a page of {@link PAGE} items, with buttons for the other pages. Opens the page of the selected item. */
export function Paged<T extends { readonly id: string }>({ items, selected, children }: PagedProps<T>) {
  const [page, setPage] = useState(0);
  useEffect(() => {
    const at = items.findIndex(({ id }) => id === selected);
    if (at >= 0) setPage(Math.floor(at / PAGE));
  }, [selected]);
  const last = Math.max(0, Math.ceil(items.length / PAGE) - 1);
  const current = Math.min(page, last);
  return (
    <>
      <ol class="rows">
        {items.slice(current * PAGE, (current + 1) * PAGE).map((item) => (
          <li key={item.id}>
            <Boundary>{children(item)}</Boundary>
          </li>
        ))}
      </ol>
      {last > 0 && (
        <p class="pages">
          <button type="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
            Previous
          </button>
          <span role="status">
            {count(current * PAGE + 1)}–{count(Math.min(items.length, (current + 1) * PAGE))} of{' '}
            {count(items.length)}
          </span>
          <button type="button" disabled={current === last} onClick={() => setPage(current + 1)}>
            Next
          </button>
        </p>
      )}
    </>
  );
}

/** A list with its heading and its count; nothing if it is empty. */
export const Counted = <T extends { readonly id: string }>({
  name,
  ...paged
}: PagedProps<T> & { readonly name: string }) =>
  paged.items.length === 0 ? null : (
    <section>
      <h2 class="group">
        {name} <small>{count(paged.items.length)}</small>
      </h2>
      <Paged {...paged} />
    </section>
  );

/** Whether the window shows an item beside the list. */
export const isWide = () => matchMedia('(min-width: 860px)').matches;

/**
 * The item that is open before a person chooses one: the first, if there is room for it beside the list. The next item
 * that arrives takes its place, unless a person is reading.
 */
export function useFirst<T extends { readonly id: string }>(items: readonly T[]): T | undefined {
  const [id, setId] = useState<string>();
  const [first] = items;
  const shown = items.find((item) => item.id === id);
  useEffect(() => {
    const isReading = document.querySelector('.detail:is(:hover, :focus-within)') !== null;
    if (shown === undefined || !isReading) setId(first?.id);
  }, [first?.id, shown === undefined]);
  return isWide() ? shown : undefined;
}

interface SplitProps {
  readonly list: ComponentChildren;
  readonly detail: ComponentChildren;
  /** Where the item leads back to on a phone; `undefined` if no person chose it. */
  readonly back: string | undefined;
  readonly placeholder: string;
  readonly label: string;
}

/** A list beside the selected item. A phone shows either the list or the item. */
export function Split({ list, detail, back, placeholder, label }: SplitProps) {
  const hasDetail = Boolean(detail);
  return (
    <div class={hasDetail ? 'split has-detail' : 'split'}>
      <nav class="list" aria-label={label}>
        {list}
      </nav>
      <section class="detail" aria-label={hasDetail ? 'Details' : 'No details yet'} tabIndex={0}>
        {hasDetail && back !== undefined && (
          <a class="back" href={back}>
            ← Back to the list
          </a>
        )}
        {hasDetail ? (
          <Boundary of={location.hash}>{detail}</Boundary>
        ) : (
          <p class="placeholder">{placeholder}</p>
        )}
      </section>
    </div>
  );
}

/** The heading of a view. Opening the view moves the keyboard focus to it. */
export const Title = ({ children }: { children: ComponentChildren }) => (
  <h2 class="title" tabIndex={-1}>
    {children}
  </h2>
);
