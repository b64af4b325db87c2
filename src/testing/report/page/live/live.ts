/** The connection of the live page with the control API of its emulator. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReportData } from '../../data/data.ts';
import type { Found, LiveData, LiveState } from '../../data/live-data.ts';
import { firstMail, type Settings } from '../parts/curl.ts';
import { Ticker } from './ticker.ts';
import { arrivalOf, LiveStore } from './live-store.ts';

/** The longest wait of the emulator for a change before it responds. After each response the page also reloads details. */
const WAIT_MS = 5_000;
/** The pause between two requests for changes, so that one response has many changes. */
const PAUSE_MS = 250;
/** The pause after a failed request. */
const RETRY_MS = 1_000;
/** Above this number of mails the checks run on a click, because they read every mail. */
const CHECKED = 500;

/**
 * - `lost`: the emulator does not respond. The page retries.
 * - `ended`: the emulator has no such session. The user needs a new sign-in address.
 */
export type Connection = 'connected' | 'lost' | 'ended';

/** The words for a connection that is not there. */
export const DISCONNECTED: Readonly<Record<Exclude<Connection, 'connected'>, string>> = {
  lost: 'The emulator does not respond. This page tries again.',
  ended: 'This address has ended. Open the one that the emulator prints now.',
};

/** The state of the emulator, besides its mails, requests and posts. */
export interface Live extends LiveState {
  readonly connection: Connection;
  /** The time at which the page received `clock`, in milliseconds of `performance.now()`. */
  readonly clockAt: number;
  /** Ticks once a second. */
  readonly ticker: Ticker;
  /** Changes with every response, so that the page reloads details. */
  readonly round: number;
  /** The announcement of the newest mails, for screen readers. */
  readonly arrival: string;
  /** Runs the checks now; `undefined` if they run by themselves. */
  readonly runChecks: (() => void) | undefined;
  /** Whether the checks have not read the newest mail yet. */
  readonly isUnchecked: boolean;
}

/** The emulator's clock now. */
export const clockOf = ({ clock, clockAt }: Live): number =>
  clock.now + (clock.paused ? 0 : performance.now() - clockAt);

export const LiveContext = createContext<Live | undefined>(undefined);
/** The live state; `undefined` in a report file. */
export const useLive = () => useContext(LiveContext);

/** A value that depends on the time. Its component is rendered again when the value has changed. */
export function useTicking(read: () => string): string {
  const ticker = useLive()?.ticker;
  const [, render] = useState(0);
  const value = read();
  const latest = useRef({ read, value });
  latest.current = { read, value };
  useEffect(
    () =>
      ticker?.add(() => {
        if (latest.current.read() !== latest.current.value) render((before) => before + 1);
      }),
    [ticker],
  );
  return value;
}

/** An error response of the control API, with its message. */
export class Refusal extends Error {
  readonly status: number;
  readonly json: unknown;

  constructor(status: number, json: unknown) {
    super(String((json as { error?: unknown } | undefined)?.error));
    this.status = status;
    this.json = json;
  }
}

/**
 * Sends a request to the control API, below the path of the page's session.
 *
 * @throws {@link Refusal} for a status from 400 on, `TypeError` if the emulator does not respond
 */
export async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    ...(body !== undefined && {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const text = await response.text();
  const json = text === '' ? undefined : (JSON.parse(text) as unknown);
  if (!response.ok) throw new Refusal(response.status, json);
  return json;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Findings = Pick<ReportData, 'findings' | 'notes'>;

/** Follows the emulator. The data is `undefined` until the first response. */
export function useEmulator(): { readonly data: ReportData | undefined; readonly live: Live } {
  const [data, setData] = useState<ReportData>();
  const ticker = useMemo(() => new Ticker(document), []);
  const [state, setState] = useState<Omit<Live, 'ticker' | 'runChecks' | 'isUnchecked'>>({
    connection: 'connected',
    clock: { now: Date.now(), paused: false },
    clockAt: performance.now(),
    faults: [],
    inboxes: [],
    received: [],
    round: 0,
    arrival: '',
  });
  const [findings, setFindings] = useState<Findings>({ findings: [] });
  const isOver = useRef(false);

  useEffect(() => {
    let store: LiveStore | undefined;
    let cursor = '';
    const next = async (): Promise<number> => {
      try {
        const wait = store === undefined ? 0 : WAIT_MS;
        const changes = (await ask('GET', `live?since=${cursor}&wait_ms=${wait}`)) as LiveData;
        const isFirst = store?.run !== changes.run;
        if (store === undefined || isFirst) store = new LiveStore(changes.run);
        ({ cursor } = changes);
        const { data: merged, added } = store.merge(changes);
        const { clock, faults, inboxes, received } = changes;
        setData(merged);
        setState((before) => ({
          connection: 'connected',
          clock,
          clockAt: performance.now(),
          faults,
          inboxes,
          received,
          round: before.round + 1,
          arrival: isFirst || added.length === 0 ? before.arrival : arrivalOf(added),
        }));
        return changes.more ? 0 : PAUSE_MS;
      } catch (error) {
        const isEnded = error instanceof Refusal && (error.status === 401 || error.status === 403);
        setState((before) => ({ ...before, connection: isEnded ? 'ended' : 'lost' }));
        return RETRY_MS;
      }
    };
    const follow = async () => {
      while (!isOver.current) await pause(await next());
    };
    void follow();
    return () => {
      isOver.current = true;
    };
  }, []);

  const newest = data?.mails[0]?.id;
  const [checked, setChecked] = useState<string>();
  const [failures, setFailures] = useState(0);
  const runChecks = () =>
    void ask('GET', 'live/findings').then(
      (found) => {
        setFindings(found as Findings);
        setChecked(newest);
      },
      () => setFailures((before) => before + 1),
    );
  const isSmall = (data?.mails.length ?? 0) <= CHECKED;
  useEffect(() => {
    if (newest === undefined || !isSmall) return;
    const timer = setTimeout(runChecks, RETRY_MS);
    return () => clearTimeout(timer);
  }, [newest, isSmall, failures]);

  const shown = useMemo(() => data && { ...data, ...findings }, [data, findings]);
  return {
    data: shown,
    live: {
      ...state,
      ticker,
      runChecks: isSmall ? undefined : runChecks,
      isUnchecked: newest !== checked,
    },
  };
}

/** The pause after a key before the emulator searches. */
const TYPING_MS = 150;

/** The items that the emulator finds in the whole contents; `undefined` in a file, without words, and before it has answered. */
export function useFound(text: string, data: ReportData): Found | undefined {
  const isLive = useLive() !== undefined;
  const [found, setFound] = useState<{ readonly text: string; readonly ids: Found }>();
  const wanted = text.trim();
  const newest = `${data.mails[0]?.id ?? ''} ${data.requests[0]?.id ?? ''}`;
  useEffect(() => {
    if (!isLive || wanted === '') return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      ask('GET', `live/search?text=${encodeURIComponent(wanted)}`).then(
        (ids) => {
          if (isCurrent) setFound({ text: wanted, ids: ids as Found });
        },
        () => undefined,
      );
    }, TYPING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isLive, wanted, newest]);
  return found?.text === wanted ? found.ids : undefined;
}

/** An item with its details. A report file has the details; the live page loads them. `isWhole` is true once they are loaded. */
export function useDetails<T extends { readonly id: string }>(
  kind: 'mails' | 'requests',
  item: T,
): { readonly item: T; readonly isWhole: boolean } {
  const live = useLive();
  const [details, setDetails] = useState<T>();
  const round = live?.round;
  useEffect(() => {
    if (round === undefined) return;
    let isCurrent = true;
    ask('GET', `live/${kind}/${encodeURIComponent(item.id)}`).then(
      (found) => {
        if (isCurrent) setDetails(found as T);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [item.id, round]);
  if (round === undefined) return { item, isWhole: true };
  return details?.id === item.id ? { item: details, isWhole: true } : { item, isWhole: false };
}

/** The command that sends a first email to the emulator; undefined in a file, which has no emulator. */
export function useFirstMail(): string | undefined {
  const isLive = useLive() !== undefined;
  const [command, setCommand] = useState<string>();
  useEffect(() => {
    if (!isLive) return;
    ask('GET', 'connection').then(
      (settings) => setCommand(firstMail(settings as Settings)),
      () => undefined,
    );
  }, [isLive]);
  return command;
}
