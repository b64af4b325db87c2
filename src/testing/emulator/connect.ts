/**
 * An emulator in another process, through its control API: the same methods, each of which returns a promise. The methods
 * and the API are generated from the same table.
 */
import { jsonOf } from '../../kit/json-of.ts';
import { ofStopped, stopped } from '../../kit/stopped.ts';
import { partsOf } from './control-api/operations.ts';
import { CONTROL_PATH, snakeCase } from './control-api/path.ts';
import { resultFromJson, toJson } from './control-api/serialize.ts';
import { check, callable, notBlank, objectOf, textLike, webUrl } from '../declare/kind.ts';
import { awaited, checkCount } from '../service/routing/control.ts';
import { MESSAGES, sendingControls } from '../service/areas/sending/area.ts';
import { defineByPath, everyControl, type AnyControl } from './controls/controls.ts';
import type { EmulatorMessage } from '../service/state/emails/outbox.ts';
import { connectedMessages, messages } from '../service/state/emails/message-kind.ts';
import type { Emulator } from './controls/emulator-types.ts';
import type { EmulatorConnection, EmulatorConnectOptions } from './controls/connection-types.ts';
import { readContent, type MailContent } from '../reading/content/content.ts';
import { EMULATOR_MAIL, type NextEmails } from '../service/state/emails/emulator-mail.ts';
import { withContent } from '../reading/content/with-content.ts';
import type { ReportData } from '../report/data/data.ts';
import type { EmulatorReportOptions } from '../report/report-options.ts';
import { checkReport, written } from '../report/report.ts';
import { DOMAINS_HEADER, MARK_HEADER } from '../service/engine/request-log.ts';
import { CONTROL_TOKEN, isControlToken } from '../service/state/account/word-rules.ts';

/** The same methods and values, as promises. */
export type Promised<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Awaited<Result>>
    : Of[Name] extends string | number | boolean | readonly unknown[]
      ? Promise<Of[Name]>
      : Promised<Of[Name]>;
};

/**
 * An emulator in another process: the methods of {@link Emulator}, each of which returns a promise. A value, such as
 * `requests`, is a promise too; each access makes a request. `fetch`, `handle`, `on` and `listen` exist only in the
 * process of the emulator.
 */
export type ConnectedEmulator = Promised<
  Omit<Emulator, 'fetch' | 'handle' | 'on' | 'listen' | 'clientOptions' | 'messages' | 'waitForMessages'>
> & {
  /** Returns the options for a client that calls the emulator over the network. */
  clientOptions(): Promise<EmulatorConnection>;
  /** Calls {@link Emulator.messages}. */
  messages(...values: Parameters<Emulator['messages']>): Promise<ConnectedMessage[]>;
  /** Calls {@link Emulator.waitForMessages}. */
  waitForMessages(...values: Parameters<Emulator['waitForMessages']>): Promise<ConnectedMessage[]>;
};

/** An email that an emulator in another process accepted. */
export interface ConnectedMessage extends EmulatorMessage {
  /**
   * The address of the email's HTML, a page without scripts that a browser opens without a token; `null` if there is no
   * HTML.
   */
  readonly html_url: string | null;
}

const connectOptions = objectOf<EmulatorConnectOptions>(
  {
    controlToken: { ...textLike(CONTROL_TOKEN, isControlToken), isSecret: true },
    fetch: callable,
    mark: notBlank,
  },
  ['controlToken'],
);

/**
 * Connects to an emulator in another process: `email-platform emulator --control` runs one, and so does `listen` with the
 * option `control`. The call itself makes no request.
 *
 * A method rejects with `TypeError` or `RangeError` for wrong arguments, as in the process of the emulator; with `Error` if
 * the emulator cannot be reached or refuses the token.
 *
 * @param url - The address of the control API, which the command prints as `EMAIL_PLATFORM_CONTROL_URL`, or the origin of
 * the server.
 * @throws `TypeError` for an unknown option or a wrong type, `RangeError` for a wrong value.
 *
 * @example
 * ```ts
 * const emulator = connectEmulator('http://127.0.0.1:4010/_emulator', { controlToken });
 * await emulator.reset();
 * ```
 */
export function connectEmulator(url: string, options: EmulatorConnectOptions): ConnectedEmulator {
  check(webUrl, url, 'url');
  const { controlToken, fetch: send = fetch, mark } = check(connectOptions, options, 'options');
  const { origin, pathname } = new URL(url);
  const base = origin + (pathname === '/' ? CONTROL_PATH : pathname.replace(/\/+$/, ''));
  const domains = new Set<string>();

  const ask: Ask = async (method, path, body, signal) => {
    const names = options.fetch === undefined ? await stopped() : undefined;
    if (names !== undefined) throw new Error(ofStopped(names));
    let response: Response;
    let text: string;
    try {
      response = await send(base + path, {
        method,
        headers: {
          authorization: `Bearer ${controlToken}`,
          ...(domains.size > 0 && { [DOMAINS_HEADER]: [...domains].join(',') }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        ...(signal && { signal }),
      });
      text = await response.text();
    } catch (cause) {
      throw new Error(`The emulator at ${base} cannot be reached`, { cause });
    }
    if (response.ok) return text === '' ? undefined : (JSON.parse(text) as unknown);
    throw errorOf(response.status, text, base);
  };

  const connected = {
    clientOptions: async (...surplus: unknown[]) => {
      checkCount('clientOptions', [], surplus);
      const connection = (await ask('GET', '/connection')) as EmulatorConnection;
      return mark === undefined ? connection : { ...connection, fetch: marking(send, mark) };
    },
    report: async (file: string, given: EmulatorReportOptions = {}, ...surplus: unknown[]) => {
      checkReport(file, given);
      checkCount('report', ['file', 'options'], [file, given, ...surplus]);
      const { addresses, site, title, checks = {} } = given;
      // The only value of a check is `false`.
      const without = Object.keys(checks);
      const query = new URLSearchParams({
        ...(addresses !== undefined && { addresses }),
        ...(site !== undefined && { site }),
        ...(title !== undefined && { title }),
        ...(without.length > 0 && { without: without.join(',') }),
      });
      return written(file, (await ask('GET', `/report?${query}`)) as ReportData, given);
    },
  };
  const properties = everyControl().map(([name, control]): [string, PropertyDescriptor] => {
    const run = (...values: unknown[]) =>
      awaited(control, name, values, (...filled) => called(control, filled, ask));
    // A value is not enumerable, so that printing the object makes no requests.
    return [name, control.takes === undefined ? { get: () => run() } : { value: run, enumerable: true }];
  });
  defineByPath(connected, properties);
  Object.defineProperty(connected, EMULATOR_MAIL, {
    value: Object.assign(nextEmails(ask, sendingControls.waitForMessages), { domains }),
  });
  return connected as unknown as ConnectedEmulator;
}

/** A `fetch` whose requests have the name of a test. */
const marking =
  (send: typeof fetch, mark: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set(MARK_HEADER, encodeURIComponent(mark));
    return send(input, { ...init, headers: Object.fromEntries(headers) });
  };

type Ask = (method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<unknown>;

/** The longest `waitMs` of a request, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/** Waits for emails for a mailbox. An abort of the signal ends the request. */
const nextEmails =
  (ask: Ask, waitForMessages: AnyControl): NextEmails =>
  async (wanted, signal) => {
    const filter = { ...wanted, waitMs: LONGEST_WAIT_MS };
    try {
      const inTime: Ask = (method, path, body) => ask(method, path, body, signal);
      return (await called(waitForMessages, [filter], inTime)) as ConnectedMessage[];
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  };

/** An argument in a path: an object is named by its id. */
const idOf = (argument: unknown): string =>
  String(typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : argument);

/** Calls a method by its request. */
async function called(control: AnyControl, values: readonly unknown[], ask: Ask): Promise<unknown> {
  const { takes = {}, returns, as } = control;
  const { method, path, isQuery, inPath, body } = partsOf(control);
  const given = Object.fromEntries(
    Object.entries(takes).map(([argument, { kind }], index) => [
      argument,
      values[index] === undefined ? undefined : toJson(kind, values[index]),
    ]),
  );
  const filled = inPath.reduce(
    (line, argument) => line.replace(`{${argument}}`, encodeURIComponent(idOf(given[argument]))),
    path,
  );
  const fields =
    body === undefined
      ? Object.fromEntries(Object.entries(given).filter(([argument]) => !inPath.includes(argument)))
      : (given[body] as Record<string, unknown> | undefined);
  const hasBody = fields !== undefined && Object.keys(takes).length > inPath.length;
  const answer = isQuery
    ? await ask(method, filled + queryOf(control, (fields ?? {}) as Readonly<Record<string, Scalar>>))
    : await ask(method, filled, hasBody ? fields : undefined);
  if (returns === undefined) return undefined;
  const result = as === undefined ? answer : (answer as Record<string, unknown>)[as];
  const read = resultFromJson(isOfMessages(control) ? connectedMessages : returns, result);
  return returns === messages ? (read as EmulatorMessage[]).map(saying) : read;
}

/** Adds the links and the codes of an email, as in the process of the emulator. */
function saying(message: EmulatorMessage): EmulatorMessage {
  let content: MailContent | undefined;
  return withContent(message, () => (content ??= readContent(message)));
}

/** Whether a method requests emails. */
const isOfMessages = ({ line }: AnyControl) => line === MESSAGES;

type Scalar = string | number | boolean | undefined;

/** The query of a request. Asks for the content of attachments, as emails have it in the process of the emulator. */
function queryOf(control: AnyControl, fields: Readonly<Record<string, Scalar>>): string {
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(snakeCase(field), String(value));
  }
  if (isOfMessages(control)) query.set('attachment_content', 'true');
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The error for a response with a status other than 2xx. */
function errorOf(status: number, text: string, base: string): Error {
  const { error = text, name } = Object(jsonOf(text)) as { error?: string; name?: string };
  if (status === 400) return name === 'TypeError' ? new TypeError(error) : new RangeError(error);
  if (status === 401) return new Error(`The emulator at ${base} refuses the control token: ${error}`);
  if (status === 501) return new Error(`The emulator at ${base} has no control API: start it with --control`);
  return new Error(`The emulator at ${base} responded with ${status}: ${error}`);
}
