import { FieldErrors, required } from '../../checks/fields.ts';
import { ok, route, type Exchange } from '../../route.ts';
import { wrapped } from '../../wrapper.ts';
import type { World } from '../world.ts';
import { SANDBOX } from './endpoint.ts';
import { findProject } from './find.ts';
import type { ProjectRecord } from './store.ts';
import { contextOf, projectView } from './view.ts';

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
    route('GET /projects', {
      ...SANDBOX,
      handler: (exchange) =>
        ok(projects.of(exchange.token.accountId).map((project) => view(project, exchange))),
    }),
    route('POST /projects', {
      ...SANDBOX,
      handler: (exchange) => {
        const { accountId } = exchange.token;
        const errors = new FieldErrors();
        const name = nameOf(exchange, '', errors);
        if (projects.count(accountId) >= settings.sandbox.maxProjects) {
          errors.add('base', 'The limit of projects is reached');
        }
        errors.throwIfAny();
        return ok(view(inboxes.addProject(accountId, name), exchange));
      },
    }),
    route('GET /projects/{project_id}', {
      ...SANDBOX,
      handler: (exchange) => ok(view(findProject(inboxes, exchange), exchange)),
    }),
    route('PATCH /projects/{project_id}', {
      ...SANDBOX,
      handler: (exchange) => {
        const project = findProject(inboxes, exchange);
        const errors = new FieldErrors();
        const name = nameOf(exchange, project.name, errors);
        errors.throwIfAny();
        project.name = name;
        return ok(view(project, exchange));
      },
    }),
    route('DELETE /projects/{project_id}', {
      ...SANDBOX,
      handler: (exchange) => {
        const project = findProject(inboxes, exchange);
        inboxes.removeProject(project);
        return ok({ id: project.id });
      },
    }),
  ];
}
