import { check } from '../../checks/argument.ts';
import { mapOf } from '../../checks/kind.ts';
import { windowKind, createWindow, type EmulatorWindowKind, type RateWindow } from '../../windows.ts';
import type { SandboxSettings } from '../sandbox/options.ts';

/** What the limit of a test inbox depends on. */
export interface InboxLimiterParts {
  readonly settings: { readonly sandbox: SandboxSettings };
  readonly window: EmulatorWindowKind;
}

/** Counts the requests to send to each test inbox, as a plan may limit them. */
export class InboxLimiter {
  readonly #parts: InboxLimiterParts;
  readonly #windows = new Map<number, RateWindow>();

  constructor(parts: InboxLimiterParts) {
    this.#parts = parts;
  }

  /** Counts a request. If the limit is used up, counts nothing and returns when it is not any more. */
  take(inboxId: number, now: number): number | undefined {
    const { limit } = this.#parts.settings.sandbox;
    if (limit === undefined) return undefined;
    const window = this.#windows.get(inboxId) ?? createWindow(this.#parts.window, limit.perMs);
    this.#windows.set(inboxId, window);
    if (window.used(now) >= limit.requests) return window.resetAt(now);
    window.take(now);
    return undefined;
  }

  save(): unknown {
    return Object.fromEntries([...this.#windows].map(([id, window]) => [id, window.save()]));
  }

  load(saved: unknown, name: string): void {
    check(mapOf(windowKind), saved, name);
    const { limit } = this.#parts.settings.sandbox;
    for (const [id, one] of Object.entries(saved as Record<string, never>)) {
      if (limit === undefined) continue;
      const window = createWindow(this.#parts.window, limit.perMs);
      window.load(one);
      this.#windows.set(Number(id), window);
    }
  }
}
