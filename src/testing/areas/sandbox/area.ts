import { ok, type Area, type Exchange } from '../../route.ts';
import { allows } from '../../tokens.ts';
import { FieldErrors, INVALID, required } from '../field-errors.ts';
import { inBothForms, type Form } from '../forms.ts';
import { wrapped } from '../wrapper.ts';
import type { SandboxEndpoint, SandboxParts } from './endpoint.ts';
import { findInbox, findProject } from './find.ts';
import { messageEndpoints } from './messages.ts';
import type { InboxRecord } from './store.ts';
import { inboxView, projectView } from './view.ts';

const INBOXES: Readonly<Record<Form, string>> = { token: 'sandboxes', account: 'inboxes' };
const WRAPPERS: Readonly<Record<Form, string>> = { token: 'sandbox', account: 'inbox' };

/** Projects, test inboxes, and the messages and attachments in them. */
export function createSandbox(parts: SandboxParts): Area {
  const { options, maxMailBytes } = parts;
  const { endpoints: ofMessages, routes } = messageEndpoints(parts);
  const endpoints = [...projectEndpoints(parts), ...inboxEndpoints(parts), ...ofMessages];
  const inForms = ({ method, path, handler }: SandboxEndpoint) =>
    inBothForms(
      {
        token: path.replace('{inboxes}', INBOXES.token),
        account: path.replace('{inboxes}', INBOXES.account),
      },
      (form) => ({
        method,
        permission: ['sandbox', method === 'GET' ? 'viewer' : 'admin'],
        handler: (exchange) =>
          handler(exchange, {
            form,
            accountId: exchange.token.accountId,
            isAdmin: allows(exchange.token, 'sandbox', 'admin'),
            maxSize: options.maxSize,
            maxMailBytes,
            hasBlacklistReport: options.blacklistReport === 'report',
          }),
      }),
    );
  return { routes: [...endpoints.flatMap(inForms), ...routes] };
}

function projectEndpoints({ store, options }: SandboxParts): readonly SandboxEndpoint[] {
  const nameOf = ({ body }: Exchange, before: string, errors: FieldErrors) => {
    const name = required(wrapped(body(), 'project').name, before, 'name', errors, 100);
    if (Array.from(name).length < 2) errors.add('name', 'is too short (minimum is 2 characters)');
    return name;
  };
  return [
    {
      method: 'GET',
      path: '/projects',
      handler: ({ token }, context) =>
        ok(store.projects(token.accountId).map((project) => projectView(project, store, context))),
    },
    {
      method: 'POST',
      path: '/projects',
      handler: (exchange, context) => {
        const { accountId } = exchange.token;
        const errors = new FieldErrors();
        const name = nameOf(exchange, '', errors);
        if (store.projects(accountId).length >= options.maxProjects) {
          errors.add('base', 'The limit of projects is reached');
        }
        errors.throwIfAny();
        return ok(projectView(store.addProject(accountId, name), store, context));
      },
    },
    {
      method: 'GET',
      path: '/projects/:project_id',
      handler: (exchange, context) => ok(projectView(findProject(store, exchange), store, context)),
    },
    {
      method: 'PATCH',
      path: '/projects/:project_id',
      handler: (exchange, context) => {
        const project = findProject(store, exchange);
        const errors = new FieldErrors();
        const name = nameOf(exchange, project.name, errors);
        errors.throwIfAny();
        project.name = name;
        return ok(projectView(project, store, context));
      },
    },
    {
      method: 'DELETE',
      path: '/projects/:project_id',
      handler: (exchange) => {
        const project = findProject(store, exchange);
        store.removeProject(project);
        return ok({ id: project.id });
      },
    },
  ];
}

function inboxEndpoints({ store, options }: SandboxParts): readonly SandboxEndpoint[] {
  /** A change that has no body; the response is the inbox after it. */
  const action = (name: string, act: (inbox: InboxRecord, exchange: Exchange) => void): SandboxEndpoint => ({
    method: 'PATCH',
    path: `/{inboxes}/:inbox_id/${name}`,
    handler: (exchange, context) => {
      const inbox = findInbox(store, exchange);
      act(inbox, exchange);
      return ok(inboxView(inbox, context));
    },
  });
  return [
    {
      method: 'GET',
      path: '/{inboxes}',
      handler: ({ token }, context) =>
        ok(store.of(token.accountId).map((inbox) => inboxView(inbox, context))),
    },
    {
      method: 'POST',
      path: '/projects/:project_id/{inboxes}',
      handler: (exchange, context) => {
        const project = findProject(store, exchange);
        const errors = new FieldErrors();
        const given = wrapped(exchange.body(), WRAPPERS[context.form]);
        const name = required(given.name, '', 'name', errors, 255);
        // As recorded: the limit of the plan is reported as an error in the name.
        if (store.of(project.accountId).length >= options.maxInboxes) {
          errors.add('name', 'limit of sandboxes is reached for your plan');
        }
        errors.throwIfAny();
        return ok(inboxView(store.add(project.accountId, project, name), context));
      },
    },
    {
      method: 'GET',
      path: '/{inboxes}/:inbox_id',
      handler: (exchange, context) => ok(inboxView(findInbox(store, exchange), context)),
    },
    {
      method: 'PATCH',
      path: '/{inboxes}/:inbox_id',
      handler: (exchange, context) => {
        const inbox = findInbox(store, exchange);
        const given = wrapped(exchange.body(), WRAPPERS[context.form]);
        const errors = new FieldErrors();
        const name = required(given.name, inbox.name, 'name', errors, 255);
        const username = required(given.email_username, inbox.emailUsername, 'email_username', errors, 64);
        if (username !== '' && !/^[a-z\d._-]+$/i.test(username)) errors.add('email_username', INVALID);
        errors.throwIfAny();
        Object.assign(inbox, { name, emailUsername: username });
        return ok(inboxView(inbox, context));
      },
    },
    {
      method: 'DELETE',
      path: '/{inboxes}/:inbox_id',
      handler: (exchange, context) => {
        const inbox = findInbox(store, exchange);
        store.remove(inbox);
        return ok(inboxView(inbox, context));
      },
    },
    action('clean', (inbox) => inbox.messages.clear()),
    action('all_read', (inbox, { now }) => {
      for (const message of inbox.messages.values()) {
        if (!message.isRead) Object.assign(message, { isRead: true, updatedAt: now });
      }
    }),
    action('reset_credentials', (inbox) => store.resetCredentials(inbox)),
    action('toggle_email_username', (inbox) => {
      inbox.hasAddress = !inbox.hasAddress;
    }),
    action('reset_email_username', (inbox) => store.resetAddress(inbox)),
  ];
}
