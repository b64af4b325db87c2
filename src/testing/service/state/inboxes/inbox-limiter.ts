import type { State } from '../base/state.ts';
import { type EmulatorWindowKind, unusedWindow, windowRule, type WindowState } from '../account/windows.ts';
import type { SandboxSettings } from './sandbox.ts';

/** The parts that the limit of a test inbox needs. */
export interface InboxLimiterParts {
  readonly state: State;
  readonly settings: { readonly sandbox: SandboxSettings };
  readonly window: EmulatorWindowKind;
}

/** Counts the requests to send to each test inbox, for the limit of a plan. */
export class InboxLimiter {
  readonly #parts: InboxLimiterParts;
  readonly #windows: Map<number, WindowState>;

  constructor(parts: InboxLimiterParts) {
    this.#parts = parts;
    this.#windows = parts.state.part('test inbox limits', new Map<number, WindowState>());
  }

  /** Counts a request. If the limit is exhausted, counts nothing and returns the time of the reset. */
  take(inboxId: number, now: number): number | undefined {
    const { limit } = this.#parts.settings.sandbox;
    if (limit === undefined) return undefined;
    const rule = windowRule(this.#parts.window, limit.perMs);
    const window = this.#windows.get(inboxId) ?? unusedWindow();
    this.#windows.set(inboxId, window);
    if (rule.used(window, now) >= limit.requests) return rule.resetAt(window, now);
    rule.take(window, now);
    return undefined;
  }
}
