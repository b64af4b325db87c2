/** One attempt of a call: its state, and the token that it is sent with. */
import { ConfigurationError } from '../core/errors.ts';
import { invalid } from '../core/rules.ts';
import { tried } from '../core/tried.ts';
import type { Permit } from '../throttle/permit.ts';
import type { Call, PreparedRequest } from './call.ts';
import type { RequestEvent } from './hooks.ts';
import type { Refusal } from './rate-limit.ts';
import { Redaction } from './redaction.ts';
import { MAX_OTHER_BYTES } from './response.ts';

/** The secrets of a response that was not read yet, or is done with. */
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
  #checkClaim: (() => void) | undefined = undefined;
  #refusal: Refusal | undefined = undefined;

  constructor(call: Call, request: PreparedRequest, number: number) {
    this.call = call;
    this.request = request;
    this.number = number;
    this.#body = request.body;
  }

  /** It has its permit, or waits for it; undefined if the request counts against no limit. */
  permitted(permit: Permit | undefined): void {
    this.#permit = permit;
  }

  /** It is claimed: this is its body. `check` throws if the claim may be over before it is answered. */
  claimed(body: string | Blob, check: () => void): void {
    this.#body = body;
    this.#checkClaim = check;
  }

  /** It is sent with this token. */
  authorized(token: string): void {
    this.#token = token;
  }

  /** It is sent with these headers, which a trace adds. */
  traced(headers: Readonly<Record<string, string>>): void {
    this.#headers = headers;
  }

  /** It has its response, which has these secrets. */
  answered(secrets: () => readonly string[]): void {
    this.#secrets = secrets;
  }

  /** Its response is done with. */
  forgetResponse(): void {
    this.#secrets = NO_SECRETS;
  }

  /** It was refused, with a 429. */
  refused(refusal: Refusal): void {
    this.#refusal = refusal;
  }

  /** Throws if its claim may be over before it is answered. */
  checkClaim(): void {
    this.#checkClaim?.();
  }

  /** What is sent. */
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

  /** How it was refused, after a 429. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Redacts texts that this attempt led to: gateways, and the errors of a `fetch`, repeat the request. */
  async redaction(secrets = this.secrets): Promise<Redaction> {
    const { query, options } = this.request;
    const body = this.#body ?? '';
    if (this.#token !== undefined) this.call.config.tokens.add(this.#token);
    const json = typeof body === 'string' ? body : await body.slice(0, MAX_OTHER_BYTES).text();
    const values = [json, options.headers, this.#headers, query, ...new URLSearchParams(query).values()];
    const contents = () => [...values, tried<unknown>(() => JSON.parse(json))];
    return this.call.redaction(contents, secrets());
  }

  /** The part of every event that says which attempt it is about. */
  event(): RequestEvent {
    return { ...this.call.event(), attempt: this.number };
  }
}

/**
 * Checks that a token can be sent: anything else would end the header, or be refused by `fetch` with an error that is
 * hard to place. The error never contains the token; `label` is the name of what the caller set.
 */
export function checkToken(token: unknown, label?: string): asserts token is string {
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw invalid('token', 'must be a string of one or more visible ASCII characters, without spaces', label);
}

/** Calls the caller's function for a token. It may take as long as a response, but no longer than the call. */
async function askFor(source: () => string | Promise<string>, { call, request }: Attempt): Promise<string> {
  const asked = (async () => source())().catch((error: unknown) => {
    const cause = new Redaction(call.config.tokens).error(error);
    throw new ConfigurationError('the token function failed', { option: 'token', cause });
  });
  const token = await call.wait(asked, 'waiting for the token function', request.timeoutMs);
  checkToken(token);
  return token;
}

/** Sends an attempt with its token. A token function is called for every attempt, so that a rotated token is used at once. */
export function withToken<T>(attempt: Attempt, send: () => Promise<T>): Promise<T> {
  const { token: source, tokens } = attempt.call.config;
  if (!attempt.request.isOwn || source === undefined) return send();
  const sendWith = (token: string) => {
    attempt.authorized(token);
    tokens.add(token);
    return send();
  };
  // A fixed token was checked when the client was created. It is sent in the same turn of the event loop.
  return typeof source === 'string' ? sendWith(source) : askFor(source, attempt).then(sendWith);
}
