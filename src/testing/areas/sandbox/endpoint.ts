import type { Exchange, Route } from '../../route.ts';
import type { SandboxOptions } from './options.ts';
import type { InboxStore } from './store.ts';
import type { ViewContext } from './view.ts';

/** What the sandbox is made of. */
export interface SandboxParts {
  readonly store: InboxStore;
  /** Seals the paths of attachments. */
  readonly secret: string;
  readonly options: SandboxOptions;
  readonly maxMailBytes: number;
}

/** An endpoint whose handler is told what its records look like in this form of the path. */
export interface SandboxEndpoint {
  readonly method: Route['method'];
  /** The path after `/api` or `/api/accounts/:account_id`; `{inboxes}` has another name in each form. */
  readonly path: string;
  readonly handler: (exchange: Exchange, context: ViewContext) => ReturnType<Route['handler']>;
}
