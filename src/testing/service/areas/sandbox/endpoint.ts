import type { Form, Exchange } from '../../routing/route.ts';
import { orNotFound } from '../../wire/reply.ts';
import type { CapturedRecord, InboxRecord, InboxStore, ProjectRecord } from '../../state/inboxes/sandbox.ts';

/** The properties that all endpoints of the sandbox share. */
export const SANDBOX = { area: 'sandbox' } as const;

/** The name of the wrapper of a test inbox's fields, by the form of the path. */
export const WRAPPERS: Readonly<Record<Form, string>> = { token: 'sandbox', account: 'inbox' };

type Named = Pick<Exchange, 'params' | 'token'>;

/** The project in the path. Refuses with 404 if there is none. */
export const findProject = ({ projects }: InboxStore, { params, token }: Named): ProjectRecord =>
  orNotFound(projects.find(token.accountId, Number(params.project_id)));

/** The test inbox in the path. Refuses with 404 if there is none. */
export const findInbox = (inboxes: InboxStore, { params, token }: Named): InboxRecord =>
  orNotFound(inboxes.find(token.accountId, Number(params.inbox_id)));

/** The message in the path. Refuses with 404 if it is not in the inbox. */
export const findMessage = (inboxes: InboxStore, exchange: Named): CapturedRecord =>
  orNotFound(inboxes.messagesOf(findInbox(inboxes, exchange)).get(Number(exchange.params.message_id)));
