import type { RefusalReason } from './options.ts';
import type { Match } from './routes.ts';

/** A page's request, and how the server is told what becomes of it. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  readonly match: Match | undefined;
  /** When it arrived. */
  readonly at: number;
  /** Tells the server why the request is refused, and returns the response, which does not say it. */
  readonly refused: (reason: RefusalReason, status?: number, retryAfterMs?: number) => Response;
  /** Tells the server of a failure, and returns the response, which does not say what it was. */
  readonly failed: (error: unknown, response: Response) => Response;
}
