/** The server of the page of templates: the rules of the control API for hosts, origins, sessions and tokens. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonOf } from '../../../kit/json-of.ts';
import type { TemplateFolder } from '../../../entries/templates/types.ts';
import type { TemplateList } from '../../report/data/template-data.ts';
import { previewOf } from '../../report/preview/template-preview.ts';
import { withLinksInNewTabs, withScheme } from '../../common/inert-links.ts';
import { Waiters } from '../../common/waiters.ts';
import { isObject } from '../../declare/kind.ts';
import { randomSecret } from '../../encoding/random-secret.ts';
import { MAX_BODY_BYTES } from '../../service/engine/body.ts';
import { noContent, ok, type Reply } from '../../service/wire/reply.ts';
import { htmlOf } from '../control-api/message-parts.ts';
import { servedPage } from '../control-api/page-handlers.ts';
import { CONTROL_PATH } from '../control-api/path.ts';
import { Access, SESSIONS } from './access.ts';
import { write } from './control-api.ts';
import { readBody } from './incoming.ts';
import { listenOn } from './server.ts';
import type { TemplateSource, TemplatesServer } from './templates-door.ts';

/** The rendered HTMLs that are kept: a page shows the latest. */
const KEPT = 50;
/** How long a request for changes waits, in milliseconds. */
const WAIT_MS = 25_000;

type Variables = Readonly<Record<string, unknown>>;

const refusal = (status: number, error: string): Reply => ({ status, json: { error } });

/** Serves the page on this machine only. */
export async function serveTemplates(source: TemplateSource): Promise<TemplatesServer> {
  // Only browsers come in: no program gets the token.
  const access = new Access(randomSecret('ctl_'));
  const htmls = new Map<string, string>();
  const waiting = new Waiters<undefined>();
  let version = 1;

  const list = (): TemplateList => {
    const { templates, problems } = source.read();
    const faultsOf = ({ path }: TemplateFolder) => problems.filter(({ file }) => isIn(file, path));
    const isDefault = ({ folder }: TemplateFolder) => !folder.includes('/');
    const languagesOf = (one: TemplateFolder) =>
      templates.filter(({ folder }) => folder === one.folder || folder.startsWith(`${one.folder}/`));
    return {
      version,
      folder: source.folder,
      templates: templates.filter(isDefault).map((one) => ({
        folder: one.folder,
        name: one.name,
        problems: faultsOf(one),
        languages: languagesOf(one).map(({ folder, locale }) => ({ folder, locale })),
      })),
      problems: problems.filter(({ file }) => !templates.some(({ path }) => isIn(file, path))),
    };
  };

  const changes = async (since: number, gone: AbortSignal): Promise<Reply> => {
    if (since === version) await waiting.wait(() => true, WAIT_MS, gone);
    return ok(list());
  };

  const render = (template: TemplateFolder, variables: Variables | undefined): Reply => {
    try {
      const preview = previewOf(template, variables ?? template.example ?? {});
      const id = randomSecret('');
      htmls.set(id, preview.html ?? '');
      const [oldest] = htmls.keys();
      if (htmls.size > KEPT && oldest !== undefined) htmls.delete(oldest);
      return ok({ id, ...preview });
    } catch (error) {
      return refusal(422, (error as Error).message);
    }
  };

  const save = async (template: TemplateFolder, before: unknown, example: Variables): Promise<Reply> => {
    try {
      const { misfits } = previewOf(template, example);
      if (misfits.length > 0) return refusal(422, misfits.join('; '));
      const conflict = await source.save(template, before, example);
      return conflict === undefined ? noContent() : { status: 409, json: conflict };
    } catch (error) {
      return refusal(422, (error as Error).message);
    }
  };

  const reply = async (request: IncomingMessage, gone: AbortSignal): Promise<Reply> => {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(`http://${headers.host ?? ''}${request.url ?? ''}`);
    const [, first = '', ...rest] = pathname.slice(CONTROL_PATH.length).split('/');
    const [session, ...inside] = first === SESSIONS ? rest : [undefined, first, ...rest];
    if (method === 'GET' && first === 'open') return access.admit(searchParams.get('code') ?? '');
    const refused =
      session === undefined ? access.refusalOf(headers) : access.refusalIn(session, method, headers);
    const bytes = await readBody(request, MAX_BODY_BYTES, refused === undefined);
    if (refused !== undefined) return refusal(refused.status, refused.message);
    if (bytes === undefined) return refusal(413, 'The body is too large');
    const line = `${method} /${inside.join('/')}`;
    if (line === 'GET /') return servedPage('templates');
    if (line === 'GET /templates') return changes(Number(searchParams.get('since') ?? 0), gone);
    if (method === 'GET' && inside[0] === 'html' && inside.length === 2) {
      const html = htmls.get(inside[1] ?? '');
      const scheme = searchParams.get('scheme') === 'dark' ? 'dark' : 'light';
      return html === undefined
        ? refusal(404, 'This picture was replaced')
        : htmlOf({ html: withLinksInNewTabs(withScheme(html, scheme)), attachments: [] });
    }
    if (line !== 'POST /preview' && line !== 'PUT /example') return refusal(404, `There is no ${line}`);
    const body = jsonOf(new TextDecoder().decode(bytes));
    if (!isObject(body)) return refusal(400, 'The body must be a JSON object');
    const template = source.read().templates.find(({ folder }) => folder === body.folder);
    if (template === undefined) return refusal(404, 'There is no such template');
    const { variables } = body;
    if (line === 'POST /preview' && variables === undefined) return render(template, undefined);
    if (!isObject(variables)) return refusal(422, 'variables must be an object');
    return line === 'POST /preview' ? render(template, variables) : save(template, body.before, variables);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse, gone: AbortSignal) =>
    write(response, await reply(request, gone));
  const server = await listenOn({
    ...{ port: source.port, host: '127.0.0.1', allowedHosts: [], cors: { origins: [] } },
    send: () => Promise.resolve({ kind: 'answer', response: { status: 404, headers: {}, body: null } }),
    hasToken: () => false,
    controlApi: serve,
  });
  const changed = () => {
    version += 1;
    waiting.tell(undefined);
  };
  return {
    browserUrl: `${server.url}${CONTROL_PATH}/open?code=${access.code}`,
    changed,
    close: () => {
      changed();
      return server.close();
    },
  };
}

/** Whether a file is in a folder. */
const isIn = (file: string, folder: string) =>
  file === folder || (file.startsWith(folder) && /[\\/]/.test(file[folder.length] ?? ''));
