import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ReportData } from '../data/data.ts';
import { count, counted, timeZone } from './parts/format.ts';
import { indexOf } from './parts/index-of.ts';
import { problemsOf } from './parts/problems.ts';
import { onKey } from './widgets/keyboard.ts';
import { Changes } from './views/changes.tsx';
import { Clock } from './views/clock.tsx';
import { Reset } from './views/controls.tsx';
import { PlannedFailures } from './views/faults.tsx';
import { DISCONNECTED, useFound, useLive } from './live/live.ts';
import { Mark } from './widgets/mark.tsx';
import { Received } from './views/emails/received.tsx';
import { Limits } from './views/limits.tsx';
import { Mails } from './views/emails/mails.tsx';
import { Overview } from './views/overview.tsx';
import { Badge, Boundary, Searched, Time } from './widgets/parts.tsx';
import { ThemeSwitch } from './widgets/theme.tsx';
import { Requests } from './views/requests.tsx';
import { hashOf, readRoute, VIEWS, type Route, type View } from './parts/route.ts';
import { only, queryOf, search } from './parts/search.ts';
import { Posts, Webhooks } from './views/webhooks.tsx';

const NAMES: Readonly<Record<View, string>> = {
  changes: 'Changes',
  overview: 'Overview',
  mails: 'Emails',
  received: 'Received',
  requests: 'Requests',
  service: 'Service',
};

const VIEWS_OF_FILE = VIEWS.filter((view) => view !== 'received');
const VIEWS_OF_INBOX: readonly View[] = ['overview', 'mails'];

/** The current route. A click on a link moves the focus to the heading of the view. */
function useRoute(first: View): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash, first));
  useEffect(() => {
    const follow = () => setRoute(readRoute(location.hash, first));
    const followLink = () => {
      follow();
      requestAnimationFrame(() => {
        const { id } = readRoute(location.hash);
        const title = document.querySelector<HTMLElement>(id === null ? 'h1' : '.detail .title');
        title?.focus({ preventScroll: id !== null });
        const detail = document.querySelector('.detail');
        if (detail) detail.scrollTop = 0;
      });
    };
    addEventListener('route', follow);
    addEventListener('hashchange', followLink);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('route', follow);
      removeEventListener('hashchange', followLink);
      removeEventListener('keydown', onKey);
    };
  }, []);
  return route;
}

export function App({ data }: { data: ReportData }) {
  const live = useLive();
  const { view, id } = useRoute(live ? 'mails' : 'overview');
  // The list follows an email that a link or a reload opens. A list of pages first turns to its page.
  useEffect(() => {
    requestAnimationFrame(() =>
      document
        .querySelectorAll('.list [aria-current], header nav [aria-current]')
        .forEach((one) => one.scrollIntoView({ block: 'nearest', inline: 'nearest' })),
    );
  }, [view, id]);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) document.querySelector<HTMLElement>('#search')?.focus();
  }, [isOpen]);
  const { words, recipient } = useMemo(() => queryOf(text), [text]);
  const index = useMemo(() => indexOf(data), [data]);
  const byEmulator = useFound(words.join(' '), data);
  const found = useMemo(
    () => search(data, { words, recipient }, byEmulator),
    [data, words, recipient, byEmulator],
  );
  const posts = useMemo(
    () => [...new Set(found.posts.flatMap(({ id: attempt }) => index.posts.get(attempt) ?? []))],
    [found, index],
  );
  const isSearching = words.length > 0 || recipient !== '';
  const views = live ? VIEWS : data.source === 'inbox' ? VIEWS_OF_INBOX : VIEWS_OF_FILE;
  const waiting = live?.faults.filter(({ paused }) => !paused).length ?? 0;
  const counts: Partial<Record<View, number>> = {
    mails: found.mails.length,
    requests: found.requests.length,
    ...(live && { received: live.received.length }),
    ...(waiting > 0 && { service: waiting }),
  };
  const { total } = useMemo(() => problemsOf(data, index), [data]);
  const problems = total > 0 && <Badge tone="bad">{counted(total, 'problem')}</Badge>;
  useEffect(() => {
    const title = data.run?.title === undefined ? '' : `${data.run.title} · `;
    document.title = `${title}${NAMES[view]} · ${counted(data.sent, 'email')}, ${counted(data.requested, 'request')}, ${counted(total, 'problem')}`;
  }, [view, data]);
  return (
    <>
      <header>
        <a
          class="skip"
          href={location.hash}
          onClick={(event) => {
            event.preventDefault();
            document.querySelector('main')?.focus();
          }}
        >
          Skip to the content
        </a>
        <Mark />
        {/* For a narrow window, in which a person would have to scroll the row of views to their badges. */}
        {problems && (
          <a class="faults" href={hashOf('overview')}>
            {problems}
          </a>
        )}
        <nav aria-label="Views">
          {(data.changes ? (['changes', ...views] as const) : views).map((name) => (
            <a key={name} href={hashOf(name)} aria-current={name === view ? 'page' : undefined}>
              {NAMES[name]}
              {counts[name] !== undefined && <small> {count(counts[name])}</small>}
              {name === 'overview' && <> {problems}</>}
            </a>
          ))}
        </nav>
        <button
          type="button"
          class="search-button"
          aria-expanded={isOpen}
          aria-controls="search-form"
          onClick={() => setOpen(!isOpen)}
        >
          Search
        </button>
        <form
          id="search-form"
          role="search"
          class={isOpen || isSearching ? 'open' : undefined}
          onSubmit={(event) => event.preventDefault()}
        >
          <label>
            <span class="unseen">Search</span>
            <input
              id="search"
              type="search"
              placeholder="Search, or to:ann  /"
              autocomplete="off"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        </form>
        {live && live.connection !== 'connected' && (
          <p class="lost" role="alert">
            {DISCONNECTED[live.connection]}
          </p>
        )}
        <p class="unseen" role="status" aria-live="polite">
          {isSearching &&
            `${counted(found.mails.length, 'email')} and ${counted(found.requests.length, 'request')} found`}
        </p>
      </header>
      {live && (
        <p class="unseen" role="status" aria-live="polite">
          {live.arrival}
        </p>
      )}
      <main tabIndex={-1}>
        <h1 class="unseen" tabIndex={-1}>
          {NAMES[view]}
        </h1>
        <Searched.Provider value={words}>
          <Boundary of={view}>
            {view === 'changes' && data.changes && <Changes changes={data.changes} />}
            {view === 'overview' && (
              <Overview
                data={isSearching ? only(data, found) : data}
                index={index}
                isSearching={isSearching}
              />
            )}
            {view === 'mails' && <Mails data={data} mails={found.mails} index={index} id={id} />}
            {view === 'requests' && <Requests data={data} requests={found.requests} index={index} id={id} />}
            {view === 'received' && live && <Received live={live} index={index} id={id} />}
            {view === 'service' && id !== null && (
              <Webhooks data={data} posts={posts} index={index} id={id} />
            )}
            {view === 'service' && id === null && (
              <div class="overview">
                {live && <PlannedFailures faults={live.faults} />}
                <section>
                  <h2>Webhook posts</h2>
                  <Posts data={data} posts={posts} index={index} id={null} />
                </section>
                <section>
                  <h2>Rate limits</h2>
                  <Limits limits={data.limits} />
                </section>
                {live && <Reset />}
              </div>
            )}
          </Boundary>
        </Searched.Provider>
      </main>
      <footer class={live ? 'live' : undefined}>
        {live ? (
          <Clock live={live} />
        ) : (
          <span>
            Written <Time at={data.writtenAt} />, times in {timeZone()}
          </span>
        )}
        {data.addresses === 'masked' && <span>Addresses are masked</span>}
        <span class="keys">
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>/</kbd> search, <kbd>Esc</kbd> back
        </span>
        <ThemeSwitch />
      </footer>
    </>
  );
}
