import { FieldErrors, required } from '../../wire/fields.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { ok } from '../../wire/reply.ts';
import { wrapped } from '../../routing/wrapper.ts';
import type { World } from '../../state/world.ts';
import { SANDBOX, findProject, WRAPPERS, findInbox } from './endpoint.ts';
import type { ProjectRecord, InboxRecord } from '../../state/inboxes/sandbox.ts';
import { contextOf, projectView, inboxView } from './view.ts';
import { textLike } from '../../../declare/kind.ts';

/** The endpoints of projects. */
export function projectRoutes({ inboxes, settings }: World) {
  const { projects } = inboxes;
  const view = (project: ProjectRecord, exchange: Exchange) =>
    projectView(project, inboxes, contextOf(exchange, settings));
  const nameOf = ({ body }: Exchange, before: string, errors: FieldErrors) => {
    const name = required(wrapped(body(), 'project').name, before, 'name', errors, 100);
    if (Array.from(name).length < 2) errors.add('name', 'is too short (minimum is 2 characters)');
    return name;
  };
  return [
    route('GET /projects', SANDBOX, (exchange) =>
      ok(projects.of(exchange.token.accountId).map((project) => view(project, exchange))),
    ),
    route('POST /projects', SANDBOX, (exchange) => {
      const { accountId } = exchange.token;
      const errors = new FieldErrors();
      const name = nameOf(exchange, '', errors);
      if (projects.count(accountId) >= settings.sandbox.maxProjects) {
        errors.add('base', 'The limit of projects is reached');
      }
      errors.throwIfAny();
      return ok(view(inboxes.addProject(accountId, name), exchange));
    }),
    route('GET /projects/{project_id}', SANDBOX, (exchange) =>
      ok(view(findProject(inboxes, exchange), exchange)),
    ),
    route('PATCH /projects/{project_id}', SANDBOX, (exchange) => {
      const project = findProject(inboxes, exchange);
      const errors = new FieldErrors();
      const name = nameOf(exchange, project.name, errors);
      errors.throwIfAny();
      project.name = name;
      return ok(view(project, exchange));
    }),
    route('DELETE /projects/{project_id}', SANDBOX, (exchange) => {
      const project = findProject(inboxes, exchange);
      inboxes.removeProject(project);
      return ok({ id: project.id });
    }),
  ];
}

const localPart = textLike('letters, digits and any of . _ -', (value) => /^[a-z\d._-]+$/i.test(value));

/** The endpoints of test inboxes. */
export function inboxRoutes({ inboxes, settings }: World) {
  const view = (inbox: InboxRecord, exchange: Exchange) =>
    inboxView(inbox, inboxes, contextOf(exchange, settings));
  /** An action without a body. The response is the changed inbox. */
  const action = (act: (inbox: InboxRecord, exchange: Exchange) => void) => (exchange: Exchange) => {
    const inbox = findInbox(inboxes, exchange);
    act(inbox, exchange);
    return ok(view(inbox, exchange));
  };
  return [
    route('GET /{sandboxes|inboxes}', SANDBOX, (exchange) =>
      ok(inboxes.of(exchange.token.accountId).map((inbox) => view(inbox, exchange))),
    ),
    route('POST /projects/{project_id}/{sandboxes|inboxes}', SANDBOX, (exchange) => {
      const project = findProject(inboxes, exchange);
      const errors = new FieldErrors();
      const input = wrapped(exchange.body(), WRAPPERS[exchange.form]);
      const name = required(input.name, '', 'name', errors, 255);
      // As recorded, the response reports the limit of the plan as an error in the name.
      if (inboxes.count(project.accountId) >= settings.sandbox.maxInboxes) {
        errors.add('name', 'limit of sandboxes is reached for your plan');
      }
      errors.throwIfAny();
      return ok(view(inboxes.add(project.accountId, project, name), exchange));
    }),
    route('GET /{sandboxes|inboxes}/{inbox_id}', SANDBOX, (exchange) =>
      ok(view(findInbox(inboxes, exchange), exchange)),
    ),
    route('PATCH /{sandboxes|inboxes}/{inbox_id}', SANDBOX, (exchange) => {
      const inbox = findInbox(inboxes, exchange);
      const input = wrapped(exchange.body(), WRAPPERS[exchange.form]);
      const errors = new FieldErrors();
      const name = required(input.name, inbox.name, 'name', errors, 255);
      const username = required(input.email_username, inbox.emailUsername, 'email_username', errors, 64);
      if (username !== '') errors.check(localPart, username, 'email_username');
      errors.throwIfAny();
      Object.assign(inbox, { name, emailUsername: username });
      return ok(view(inbox, exchange));
    }),
    route('DELETE /{sandboxes|inboxes}/{inbox_id}', SANDBOX, (exchange) => {
      const inbox = findInbox(inboxes, exchange);
      const removed = view(inbox, exchange);
      inboxes.remove(inbox);
      return ok(removed);
    }),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/clean',
      SANDBOX,
      action((inbox) => inboxes.messagesOf(inbox).clear()),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/all_read',
      SANDBOX,
      action((inbox, { now }) => {
        for (const message of inboxes.messagesOf(inbox).values()) {
          if (!message.isRead) Object.assign(message, { isRead: true, updatedAt: now });
        }
      }),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/reset_credentials',
      SANDBOX,
      action((inbox) => inboxes.resetCredentials(inbox)),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/toggle_email_username',
      SANDBOX,
      action((inbox) => {
        inbox.hasAddress = !inbox.hasAddress;
      }),
    ),
    route(
      'PATCH /{sandboxes|inboxes}/{inbox_id}/reset_email_username',
      SANDBOX,
      action((inbox) => inboxes.resetAddress(inbox)),
    ),
  ];
}
