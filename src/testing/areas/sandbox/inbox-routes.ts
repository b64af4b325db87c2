import { FieldErrors, required } from '../../checks/fields.ts';
import { textLike } from '../../checks/kind.ts';
import { ok, route, type Exchange } from '../../route.ts';
import { wrapped } from '../../wrapper.ts';
import type { World } from '../world.ts';
import { SANDBOX, WRAPPERS } from './endpoint.ts';
import { findInbox, findProject } from './find.ts';
import type { InboxRecord } from './store.ts';
import { contextOf, inboxView } from './view.ts';

const localPart = textLike('letters, digits and any of . _ -', (value) => /^[a-z\d._-]+$/i.test(value));

/** The endpoints of test inboxes. */
export function inboxRoutes({ inboxes, settings }: World) {
  const view = (inbox: InboxRecord, exchange: Exchange) =>
    inboxView(inbox, inboxes, contextOf(exchange, settings));
  /** A change that has no body; the response is the inbox after it. */
  const action = (act: (inbox: InboxRecord, exchange: Exchange) => void) => ({
    ...SANDBOX,
    handler: (exchange: Exchange) => {
      const inbox = findInbox(inboxes, exchange);
      act(inbox, exchange);
      return ok(view(inbox, exchange));
    },
  });
  return [
    route('GET /{sandboxes|inboxes}', {
      ...SANDBOX,
      handler: (exchange) => ok(inboxes.of(exchange.token.accountId).map((inbox) => view(inbox, exchange))),
    }),
    route('POST /projects/{project_id}/{sandboxes|inboxes}', {
      ...SANDBOX,
      handler: (exchange) => {
        const project = findProject(inboxes, exchange);
        const errors = new FieldErrors();
        const given = wrapped(exchange.body(), WRAPPERS[exchange.form]);
        const name = required(given.name, '', 'name', errors, 255);
        // As recorded: the limit of the plan is reported as an error in the name.
        if (inboxes.count(project.accountId) >= settings.sandbox.maxInboxes) {
          errors.add('name', 'limit of sandboxes is reached for your plan');
        }
        errors.throwIfAny();
        return ok(view(inboxes.add(project.accountId, project, name), exchange));
      },
    }),
    route('GET /{sandboxes|inboxes}/{inbox_id}', {
      ...SANDBOX,
      handler: (exchange) => ok(view(findInbox(inboxes, exchange), exchange)),
    }),
    route('PATCH /{sandboxes|inboxes}/{inbox_id}', {
      ...SANDBOX,
      handler: (exchange) => {
        const inbox = findInbox(inboxes, exchange);
        const given = wrapped(exchange.body(), WRAPPERS[exchange.form]);
        const errors = new FieldErrors();
        const name = required(given.name, inbox.name, 'name', errors, 255);
        const username = required(given.email_username, inbox.emailUsername, 'email_username', errors, 64);
        if (username !== '') errors.check(localPart, username, 'email_username');
        errors.throwIfAny();
        Object.assign(inbox, { name, emailUsername: username });
        return ok(view(inbox, exchange));
      },
    }),
    route('DELETE /{sandboxes|inboxes}/{inbox_id}', {
      ...SANDBOX,
      handler: (exchange) => {
        const inbox = findInbox(inboxes, exchange);
        const removed = view(inbox, exchange);
        inboxes.remove(inbox);
        return ok(removed);
      },
    }),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/clean',
      action((inbox) => inboxes.messagesOf(inbox).clear()),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/all_read',
      action((inbox, { now }) => {
        for (const message of inboxes.messagesOf(inbox).values()) {
          if (!message.isRead) Object.assign(message, { isRead: true, updatedAt: now });
        }
      }),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/reset_credentials',
      action((inbox) => inboxes.resetCredentials(inbox)),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/toggle_email_username',
      action((inbox) => {
        inbox.hasAddress = !inbox.hasAddress;
      }),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/reset_email_username',
      action((inbox) => inboxes.resetAddress(inbox)),
    ),
  ];
}
