/** One attempt of a call: its state, and the token that it is sent with. */
import { jsonOf } from '../kit/json-of.ts';
import { ConfigurationError } from '../core/errors.ts';
import { invalid, mustBe, refuse } from '../core/rules.ts';
import { aloneRule } from '../core/setting-text.ts';
import type { Permit } from '../throttle/permit.ts';
import type { Call } from './call.ts';
import type { PreparedRequest } from './prepared-request.ts';
import type { RequestEvent } from './hooks.ts';
import type { Refusal } from './rate-limit.ts';
import type { Redaction } from './redaction.ts';
import { MAX_OTHER_BYTES } from './response.ts';

/** Before a response is read, and after its call is done with it. */
const NO_SECRETS = (): readonly string[] => [];

/** One attempt of a call: the first, or a retry. */
export class Attempt {
  readonly call: Call;
  readonly request: PreparedRequest;
  /** 1 for the first. */
  readonly number: number;
  #body: PreparedRequest['body'];
  #token: string | undefined = undefined;
  #headers: Readonly<Record<string, string>> | undefined = undefined;
  #secrets: () => readonly string[] = NO_SECRETS;
  #permit: Permit | undefined = undefined;
  #checkLease: (() => void) | undefined = undefined;
  #refusal: Refusal | undefined = undefined;
  #isSent = false;
  #hasStayed = false;

  constructor(call: Call, request: PreparedRequest, number: number) {
    this.call = call;
    this.request = request;
    this.number = number;
    this.#body = request.body;
  }

  /** Records the permit, granted or queued; undefined if the request counts against no limit. */
  asked(permit: Permit | undefined): void {
    this.#permit = permit;
  }

  /** Its keys are claimed, and the body has their emails. `check` throws if the lease may end before the response arrives. */
  leased(body: string | Blob, check: () => void): void {
    this.#body = body;
    this.#checkLease = check;
  }

  /** Records the token of the request. */
  authorized(token: string): void {
    this.#token = token;
    this.call.learned(token);
  }

  /** Records the headers that a trace adds. */
  traced(headers: Readonly<Record<string, string>>): void {
    this.#headers = headers;
  }

  /** Records the secrets of the response. */
  hasSecrets(secrets: () => readonly string[]): void {
    this.#secrets = secrets;
  }

  /** Releases the response. */
  forgetResponse(): void {
    this.#secrets = NO_SECRETS;
  }

  /** Records a 429. */
  refused(refusal: Refusal): void {
    this.#refusal = refusal;
  }

  /** The request is given to `fetch`. */
  sent(): void {
    this.#isSent = true;
  }

  /** The attempt failed, and no byte of it left. */
  stayed(): void {
    this.#hasStayed = true;
  }

  /** Throws if the lease of its keys may end before the response arrives. */
  checkLease(): void {
    this.#checkLease?.();
  }

  /** The body of the request. */
  get body(): PreparedRequest['body'] {
    return this.#body;
  }

  /** The token it is sent with. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Headers that a trace adds. */
  get headers(): Readonly<Record<string, string>> | undefined {
    return this.#headers;
  }

  /** The secrets in its response. */
  get secrets(): () => readonly string[] {
    return this.#secrets;
  }

  /** The throttle's permission to send. */
  get permit(): Permit | undefined {
    return this.#permit;
  }

  /** Whether `fetch` had the request, and provably no byte of it left. */
  get neverLeft(): boolean {
    return this.#isSent && this.#hasStayed;
  }

  /** The consequence of a 429. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Redacts texts that this attempt caused: gateways and the errors of a `fetch` repeat the request. */
  async redaction(secrets = this.secrets): Promise<Redaction> {
    const { query, options } = this.request;
    const body = this.#body ?? '';
    const json = typeof body === 'string' ? body : await body.slice(0, MAX_OTHER_BYTES).text();
    const values = [json, options.headers, this.#headers, query, ...new URLSearchParams(query).values()];
    const contents = () => [...values, jsonOf(json)];
    return this.call.redaction(contents, secrets());
  }

  /** The fields of every event that identify the attempt. */
  event(): RequestEvent {
    return { ...this.call.event(), attempt: this.number };
  }
}

/** The headers of an attempt. Options that would replace the client's headers are refused before. */
export function headersOf({ call, request, body, token, headers }: Attempt): Record<string, string> {
  const { userAgent, auth, sendCallId } = call.config;
  // Assigned, because V8 is slow with many spreads.
  const all: Record<string, string> = { ...headers };
  all.accept = request.decoder.kind === 'body' ? '*/*' : 'application/json';
  if (body !== undefined) all['content-type'] = 'application/json';
  if (userAgent !== undefined) all['user-agent'] = userAgent;
  Object.assign(all, request.options.headers);
  if (sendCallId === true) all['email-platform-call-id'] = call.event().callId;
  if (token !== undefined && auth === 'bearer') all.authorization = `Bearer ${token}`;
  else if (token !== undefined) all['api-token'] = token;
  return all;
}

const tokenRule = mustBe(
  'a string of one or more visible ASCII characters, without spaces',
  (token) => typeof token === 'string' && /^[!-~]+$/.test(token),
);

/**
 * Checks that a token can be sent: any other text would end the header, or `fetch` would refuse it with an obscure
 * error. The error never contains the token; `label` is the name of the caller's setting.
 */
export function checkToken(token: unknown, label?: string): asserts token is string {
  refuse('token', tokenRule(token) ?? aloneRule(token), label);
}

/** Calls the caller's token function. The attempt's timeout and the end of the call limit the wait. */
async function askFor(source: () => string | Promise<string>, { call, request }: Attempt): Promise<string> {
  const asked = (async () => source())().catch((error: unknown) => {
    call.caught(error);
    const cause = call.redaction().error(error);
    throw new ConfigurationError('the token function failed', { option: 'token', cause });
  });
  const token: unknown = await call.wait(asked, 'waiting for the token function', request.timeoutMs);
  if (typeof token !== 'string') {
    const kind = token === null ? 'null' : typeof token;
    throw invalid('token', `must return a string, and returned ${kind}`, 'the token function');
  }
  checkToken(token);
  return token;
}

/** Sends an attempt with its token. A token function is called for every attempt, so that a rotated token is used at once. */
export function withToken<T>(attempt: Attempt, send: () => Promise<T>): Promise<T> {
  const { token: source } = attempt.call.config;
  if (!attempt.request.carriesToken || source === undefined) return send();
  const sendWith = (token: string) => {
    attempt.authorized(token);
    return send();
  };
  // A fixed token was checked when the client was created. It is sent in the same turn of the event loop.
  return typeof source === 'string' ? sendWith(source) : askFor(source, attempt).then(sendWith);
}
