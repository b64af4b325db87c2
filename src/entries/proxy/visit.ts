import type { RefusalReason } from './options.ts';
import type { Match } from './routes.ts';

/** A page's request, and the functions that report its refusal or failure to the server. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  readonly match: Match | undefined;
  /** Time of its arrival, by the clock of the client. */
  readonly at: number;
  /** Reports the reason to the server, and returns a response without it. */
  readonly refused: (reason: RefusalReason, status?: number, retryAfterMs?: number) => Response;
  /** Reports a failure to the server, and returns the response unchanged. */
  readonly failed: (error: unknown, response: Response) => Response;
}
