import type { Permit } from '../throttle/permit.ts';
import { tried } from '../core/rules.ts';
import { MAX_OTHER_BYTES } from './read-text.ts';
import type { Redaction } from './redact.ts';
import type { Call } from './call.ts';
import type { RequestEvent } from './hooks.ts';

/** One attempt of a call: the first, or a retry. */
export class Attempt {
  readonly call: Call;
  /** 1 for the first. */
  readonly number: number;
  /** The token it is sent with. */
  token: string | undefined = undefined;
  /** What its response has that is as secret as the token. */
  secrets: readonly string[] = [];
  /** The throttle's permission to send; undefined if it counts against no limit. */
  permit: Permit | undefined = undefined;
  /** After a 429: how long to wait, and whether the throttle keeps the pool closed for so long. */
  refusal: { readonly waitMs: number; readonly isClosed: boolean | undefined } | undefined = undefined;

  constructor(call: Call, number: number) {
    this.call = call;
    this.number = number;
  }

  /** Redacts what this attempt led to: gateways, and the errors of a `fetch`, repeat what was sent. */
  async redaction(): Promise<Redaction> {
    const { request, config } = this.call;
    const { body = '', query, options } = request;
    if (this.token !== undefined) config.tokens.add(this.token);
    const json = typeof body === 'string' ? body : await body.slice(0, MAX_OTHER_BYTES).text();
    const values = [json, options.headers, query, ...new URLSearchParams(query).values()];
    const sent = () => [...values, tried<unknown>(() => JSON.parse(json), undefined)];
    return this.call.redaction(sent, this.secrets);
  }

  /** What every event says about this attempt. */
  event(): RequestEvent {
    return { ...this.call.event(), attempt: this.number };
  }
}
