/** The emulator, put together from service, report and doors. Only the mailbox and the entries import it. */
import { lacking } from '../../kit/lacking.ts';
import { check, callable, textLike, type Kind } from '../declare/kind.ts';
import { checkOpen, listenOptions } from './controls/listen-options.ts';
import type { Arrival } from '../service/state/emails/outbox.ts';
import { Arrivals } from '../common/waiters.ts';
import { nextEmails } from '../service/areas/sending/area.ts';
import { checkCount } from '../service/routing/control.ts';
import { callables, defineControls } from './controls/controls.ts';
import { createOptions } from '../service/create-options.ts';
import type { Emulator } from './controls/emulator-types.ts';
import type { EmulatorServer } from './controls/connection-types.ts';
import { exchange } from '../service/engine/engine.ts';
import { ofWebRequest, type EngineRequest, type RequestHeaders } from '../service/wire/engine-request.ts';
import {
  EndpointHandlers,
  type EmulatorEndpoint,
  type EmulatorHandler,
  type EmulatorHandlerRemoval,
} from '../service/engine/endpoint-handlers.ts';
import { FaultQueue } from '../service/engine/faults.ts';
import type { Internals } from './controls/general-controls.ts';
import { generalOptions } from '../service/general-options.ts';
import { hostsAt, MEMORY_ORIGIN } from '../service/wire/hosts.ts';
import { createControlApi } from './http/control-api.ts';
import type { EmulatorControlOptions, EmulatorListenOptions } from './controls/listen-types.ts';
import { EMULATOR_MAIL } from '../service/state/emails/emulator-mail.ts';
import { createMemoryFetch, present } from './memory.ts';
import type { EmulatorOptions } from '../service/emulator-options.ts';
import { TEMPLATES_PAGE, type TemplateSource } from './http/templates-door.ts';
import type { DeliverPost } from '../service/state/posts/posts.ts';
import type { EmulatorWebhookOptions } from '../service/state/posts/webhooks.ts';
import { isAllowedHost } from '../common/allowed-hosts.ts';
import type { EmulatorReportOptions } from '../report/report-options.ts';
import { Recorder } from '../report/records/recorder.ts';
import { checkReport, Reports } from '../report/report.ts';
import { EMULATOR_REPORTS } from '../report/reports-of.ts';
import { RequestLog } from '../service/engine/request-log.ts';
import { readSnapshot, snapshotOf } from '../service/state/snapshot.ts';
import { FRESH_IDS } from '../service/state/base/streams.ts';
import { presentedToken } from '../service/state/account/tokens.ts';
import { buildService } from '../service/build-service.ts';
import { SANDBOX_INBOX_ID } from '../service/areas/sandbox/area.ts';

const endpointKind = textLike("a method and a path, such as 'GET /api/templates/{id}'", (value) =>
  /^[A-Z]+ \/\S*$/.test(value),
);

const requestKind: Kind = {
  what: 'a Request',
  // Checks the shape, not the class: a test environment may have its own class `Request`.
  hasType: (value) => typeof value === 'object' && value !== null && 'url' in value && 'headers' in value,
};

/**
 * Creates an emulator of the whole service. It responds to requests as the service's specification says, with its states,
 * limits and errors. It works in memory; `listen` opens a port. Ids are the same in each emulator, and after `reset()`.
 *
 * @example
 * ```ts
 * const emulator = createEmulator({ seed: 'demo' });
 * const client = new EmailPlatform(emulator.clientOptions());
 * ```
 *
 * @throws `TypeError` for an unknown option or a wrong type, `RangeError` for a wrong value.
 */
export function createEmulator(input: EmulatorOptions = {}): Emulator {
  const missing = lacking();
  if (missing !== undefined) throw new Error(missing);
  const options = check(createOptions(), input, 'options');
  const faults = new FaultQueue();
  const handlers = new EndpointHandlers();
  const recorder = new Recorder(options.details ?? generalOptions.details.default);
  const log = new RequestLog(recorder);
  /** The origins of the running servers. */
  const origins: string[] = [];
  let epoch = 0;
  const deliver = webhookDelivery(options.webhooks, () => origins.length > 0);
  const origin = () => origins.at(-1) ?? MEMORY_ORIGIN;
  const surroundings = {
    faults,
    handlers,
    log,
    recorder,
    deliver,
    arrivals: new Arrivals<Arrival>(),
    folders: {},
    origin,
    hasFreshIds: Object.hasOwn(input, FRESH_IDS),
  };
  const initial = () => buildService(options, surroundings, options.seed ?? generalOptions.seed.default);
  let service = initial();
  const clock = () => service.world.clock;
  const reports = new Reports(
    recorder,
    () => clock().now(),
    () => service.engine.tokens.secrets,
  );

  const send = (request: EngineRequest) => exchange(service.engine, request);
  const sendWeb = (request: Request, signal: AbortSignal | undefined) => send(ofWebRequest(request, signal));
  const memoryFetch = createMemoryFetch(
    sendWeb,
    () => epoch,
    (one) => origins.includes(one),
  );
  const connection = (origin: string) => ({
    token: service.world.secret,
    accountId: service.world.accountId,
    sandboxInboxId: SANDBOX_INBOX_ID,
    hosts: hostsAt(origin),
    ...(options.limits === false && { throttle: false as const }),
  });

  /** Stops the timers of the current state. */
  const stop = () => {
    service.world.posts.stop();
    service.world.lifecycle.stop();
  };
  const internals: Internals = {
    get clock() {
      return clock();
    },
    faults,
    log,
    mark: (name) => reports.mark(name),
    reset() {
      recorder.reset(clock().now());
      stop();
      faults.clear();
      handlers.clear();
      log.clear();
      service = initial();
      epoch += 1;
    },
    snapshot() {
      clock().settle();
      return snapshotOf({ now: clock().now(), parts: service.world.state.parts });
    },
    restore(snapshot) {
      const restored = readSnapshot(snapshot, (moment) => buildService(options, surroundings, moment));
      recorder.reset(clock().now());
      stop();
      service = restored;
      epoch += 1;
    },
  };

  const controlApiWith = (token: EmulatorControlOptions['token']) =>
    createControlApi({ controls, world: () => service.world, log, connection, reports, faults, token });
  const controls = callables(() => service.world, internals);
  const own = {
    fetch: memoryFetch,
    async handle(request: Request, ...surplus: unknown[]) {
      check(requestKind, request, 'request');
      checkCount('handle', ['request'], [request, ...surplus]);
      return present(await sendWeb(request, request.signal), request.signal);
    },
    clientOptions(...surplus: unknown[]) {
      checkCount('clientOptions', [], surplus);
      return {
        ...connection(MEMORY_ORIGIN),
        fetch: memoryFetch,
        dangerouslyAllowBrowser: true as const,
      };
    },
    on(endpoint: EmulatorEndpoint, handler: EmulatorHandler, ...surplus: unknown[]): EmulatorHandlerRemoval {
      check(endpointKind, endpoint, 'endpoint');
      check(callable, handler, 'handler');
      checkCount('on', ['endpoint', 'handler'], [endpoint, handler, ...surplus]);
      const remove = handlers.add(endpoint, handler, service.engine.router.all);
      // Older runtimes have no symbol for `using`.
      const { dispose } = Symbol as { readonly dispose?: symbol };
      return Object.assign(remove, dispose && { [dispose]: remove }) as unknown as EmulatorHandlerRemoval;
    },
    async report(file: string, input: EmulatorReportOptions = {}, ...surplus: unknown[]) {
      const given = checkReport(file, input);
      checkCount('report', ['file', 'options'], [file, input, ...surplus]);
      clock().settle();
      return reports.write(file, given);
    },
    async listen(input: EmulatorListenOptions = {}, ...surplus: unknown[]): Promise<EmulatorServer> {
      const given = check(listenOptions, input, 'options');
      checkCount('listen', ['options'], [input, ...surplus]);
      const { listenOn } = await import('./http/server.ts');
      const {
        port = 0,
        allowedHosts = [],
        host = '127.0.0.1',
        cors = { origins: [] },
        control = false,
      } = given;
      checkOpen(host, options.token, given);
      const hasToken = (headers: RequestHeaders) =>
        service.engine.tokens.find(presentedToken(headers), clock().now()) !== undefined;
      const controlApi =
        control === false ? undefined : controlApiWith(control === true ? undefined : control.token);
      const server = await listenOn({
        port,
        host,
        allowedHosts,
        cors,
        send,
        hasToken,
        controlApi: controlApi?.serve,
      });
      const { url } = server;
      origins.push(url);
      if (controlApi) log.controlApis += 1;
      let isOpen = true;
      const close = () => {
        if (isOpen) origins.splice(origins.indexOf(url), 1);
        if (isOpen && controlApi) log.controlApis -= 1;
        isOpen = false;
        return server.close();
      };
      return {
        url,
        hosts: hostsAt(url),
        ...(controlApi && { control: controlApi.at(url) }),
        clientOptions: () => connection(url),
        close,
      };
    },
  };
  defineControls(own, controls);
  // Not enumerable, so that comparisons and prints of tests skip it.
  Object.defineProperty(own, EMULATOR_MAIL, {
    value: Object.assign(
      nextEmails(() => service.world),
      { domains: reports.domains },
    ),
  });
  Object.defineProperty(own, EMULATOR_REPORTS, { value: reports });
  Object.defineProperty(own, TEMPLATES_PAGE, {
    value: async (source: TemplateSource) =>
      (await import('./http/templates-page.ts')).serveTemplates(source),
  });
  return own as unknown as Emulator;
}

/**
 * Delivers posts of webhooks: to `options.receive` if it is set; over HTTP if the emulator listens, but only to this
 * machine and `options.hosts`. Otherwise, sends nothing and reports success.
 */
export function webhookDelivery(
  options: EmulatorWebhookOptions = {},
  isListening: () => boolean,
): DeliverPost {
  const { receive, hosts = [] } = options;
  return async (request) => {
    if (receive !== undefined) return receive(request);
    if (!isListening()) return new Response(null, { status: 200 });
    if (!isAllowedHost(new URL(request.url).host, hosts)) {
      throw new Error('The emulator posts to other machines only if `webhooks.hosts` names them');
    }
    const { url, method, headers } = request;
    // As text, so that the post says its length.
    const body = await request.text();
    const post = new Request(url, { method, headers, body });
    return fetch(post, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  };
}
