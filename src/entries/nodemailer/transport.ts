import type { ClientPort } from '../../client/port.ts';
import { ConfigurationError, InvalidRequestError } from '../../core/errors.ts';
import { ignoringFailure } from '../../core/tried.ts';
import type { SendOptions } from '../../resources/sending/types.ts';
import { VERSION } from '../../version.ts';
import { recipientsOf, type Mailboxes } from './addresses.ts';
import { nodemailerError } from './errors.ts';
import { headersOf } from './headers.ts';
import { hasPlugins, switchOff, whileListenedTo, type Mailer } from './mailer.ts';
import { emailOf, nodemailerNameOf } from './message.ts';
import { takenOptions, type EmailPlatformTransportOptions } from './options.ts';
import { normalized, releaseStreams, stopReading } from './reading.ts';
import { ACCESS_OPTIONS, refusalsOf } from './refusals.ts';
import { Rewriting } from './rewriting.ts';
import { Traffic } from './traffic.ts';
import type { Mail, SentInfo } from './types.ts';

/** The result of a transport's work, in the form of nodemailer. */
export type TransportCallback<T> = (error: Error | null, result: T) => void;

/**
 * A transport of nodemailer. Made by {@link emailPlatformTransport}, and called by nodemailer. A copy of its properties
 * is the same transport: frameworks merge it with their own options.
 */
export class EmailPlatformTransport {
  /** For nodemailer's log. */
  readonly name = 'email-platform';
  /** The version of this package. */
  readonly version: string = VERSION;
  /** Tells nodemailer that a message's `signal` ends its call. */
  readonly supportsAbortSignal = true;

  readonly #options: EmailPlatformTransportOptions;
  readonly #port: ClientPort;
  readonly #traffic: Traffic;
  readonly #rewriting = new Rewriting();
  /** The transporters that use this transport, or a copy of it. */
  readonly #joined = new WeakSet<object>();

  /** Used by nodemailer. The event `idle` says that a message would be sent at once again. */
  readonly on: (event: string | symbol, listener: () => void) => this;

  /** @internal */
  constructor(input: EmailPlatformTransportOptions) {
    const { options, port } = takenOptions(input);
    this.#port = port;
    const { client, stream } = options;
    this.#options = options;
    const pool = stream === 'sandbox' ? 'sandbox' : 'token';
    this.#traffic = new Traffic(client, this.#port, pool);
    // nodemailer sets this property. It is not declared, because its type in nodemailer differs between versions.
    let mailer: Mailer | undefined;
    Object.defineProperty(this, 'mailer', {
      get: () => mailer,
      set: (transporter: Mailer) => {
        this.#join(transporter);
        mailer = transporter;
      },
    });
    // Own properties, because a copy of an object has nothing of its prototype.
    Object.assign(this, {
      send: this.send.bind(this),
      verify: this.verify.bind(this),
      isIdle: this.isIdle.bind(this),
      close: this.close.bind(this),
    });
    const listen = this.#listen.bind(this);
    this.on = function (this: { readonly mailer?: Mailer }, event, listener) {
      listen(this.mailer, event, listener);
      return this as never;
    };
  }

  /**
   * Sends a message of nodemailer. `POST {send}/api/send`, or the endpoint of the stream.
   *
   * Calls back with the result of `sendMail`, or with an error of this package that has nodemailer's fields too.
   */
  send(mail: Mail, callback: TransportCallback<SentInfo>): void {
    this.#send(mail).then(
      (info) => callback(null, info),
      (error: unknown) => callback(nodemailerError(error), undefined as never),
    );
  }

  /**
   * Checks the token without sending anything: lists the accounts that it can see. `GET {api}/api/accounts`. It does not
   * check whether the sender's domain is verified.
   *
   * @throws `AuthenticationError`, {@link ConfigurationError} when the host is not set, and any other error of a call
   */
  verify(callback: TransportCallback<true>): void;
  verify(): Promise<true>;
  verify(callback?: TransportCallback<true>): Promise<true> | void {
    const verified = this.#verify();
    if (!callback) return verified;
    verified.then(
      () => callback(null, true),
      (error: unknown) => callback(error as Error, undefined as never),
    );
  }

  /** Whether a message would be sent at once: false while it would wait for the rate limit. */
  isIdle(): boolean {
    return this.#traffic.isIdle();
  }

  /**
   * Ends the messages that are being read, or that wait for the rate limit or a retry: their `sendMail` fails, and
   * their emails are not sent. Completes the messages that are being sent. Refuses further messages.
   */
  close(): void {
    this.#traffic.close();
  }

  /** Prepares a transporter, once. A copy has no setter, but nodemailer calls `on` as soon as it has set `mailer`. */
  #join(mailer: Mailer): void {
    if (this.#joined.has(mailer)) return;
    this.#joined.add(mailer);
    switchOff(mailer, this.#options);
    this.#rewriting.watch(mailer);
  }

  #listen(mailer: Mailer | undefined, event: string | symbol, listener: () => void): void {
    if (mailer) this.#join(mailer);
    if (event !== 'idle') return;
    // A transporter listens as long as its application does: some programs make a transporter for each email.
    if (mailer?.on) whileListenedTo(mailer, 'idle', () => this.#traffic.onIdle(listener));
    else this.#traffic.onIdle(listener);
  }

  /** Refuses a message of a transporter that did not join, where something had to be prepared before the message. */
  #checkJoined({ mailer }: Mail): void {
    if (mailer && this.#joined.has(mailer)) return;
    const option = ACCESS_OPTIONS.find((name) => this.#options[name] === true);
    if (option === undefined && !(mailer && hasPlugins(mailer))) return;
    const subject =
      option === undefined ? 'a plugin of the step stream is not watched' : `${option} is not in force`;
    throw new ConfigurationError(
      `${subject}: createTransport of nodemailer needs the transport, or a copy with all its properties`,
      { option: option ?? 'transport' },
    );
  }

  async #send(mail: Mail): Promise<SentInfo> {
    try {
      return await this.#sendChecked(mail);
    } catch (error) {
      ignoringFailure(() => releaseStreams(mail));
      throw error;
    }
  }

  async #sendChecked(mail: Mail): Promise<SentInfo> {
    this.#checkJoined(mail);
    const { ignore = [] } = this.#options;
    const refusals = [
      // Before the others, because nodemailer changes the order of headers when it writes them.
      ...this.#rewriting.issuesOf(mail),
      ...refusalsOf(mail, this.#options, this.#port.runtime.wallNow()),
    ];
    if (refusals.length > 0) throw new InvalidRequestError(refusals, { operation: 'sendMail' });
    // Before reading, because nodemailer then gives every message a Message-ID: only now is the application's own
    // distinguishable.
    const headers = headersOf(mail);
    const { signal } = mail.data as { readonly signal?: AbortSignal };
    const reading = { read: () => normalized(mail, ignore), stop: () => stopReading(mail) };
    return this.#traffic.run(signal, reading, async (data, limits, sentWhile) => {
      const { params, options, envelope } = emailOf(mail, data, headers);
      const { stream = this.#options.stream, ...others } = options;
      const sendOptions: SendOptions = { ...others, ...limits, ...(stream !== undefined && { stream }) };
      const { message_ids: messageIds } = await this.#port
        .send(params, sendOptions, sentWhile)
        .catch(inNodemailerNames);
      const { to, cc, bcc } = params;
      const sent = this.#port.recipientsSent(JSON.stringify({ to, cc, bcc }), stream);
      const accepted = recipientsOf(JSON.parse(sent) as Mailboxes);
      return {
        messageId: messageIds[0] ?? '',
        messageIds,
        envelope: { ...envelope, to: accepted },
        accepted,
        rejected: [],
        response: 'accepted',
      };
    });
  }

  async #verify(): Promise<true> {
    try {
      await this.#options.client.accounts.list();
      return true;
    } catch (error) {
      throw nodemailerError(error);
    }
  }
}

/** Renames the fields in an error to nodemailer's names. */
function inNodemailerNames(error: unknown): never {
  if (!(error instanceof InvalidRequestError)) throw error;
  const issues = error.issues.map(({ path, message }) => ({ path: nodemailerNameOf(path), message }));
  throw new InvalidRequestError(issues, { operation: 'sendMail' });
}

/**
 * A transport for `nodemailer.createTransport`, which sends through the service's API. The rest of nodemailer stays
 * the same: `sendMail`, its plugins, its events.
 *
 * Needs nodemailer 8.0.5 or later, which you install yourself. The options `disableFileAccess` and `disableUrlAccess`
 * need 8.0.9; with an older version, `createTransport` throws a {@link ConfigurationError}.
 *
 * @example
 * ```ts
 * const transporter = nodemailer.createTransport(emailPlatformTransport({ client }));
 * await transporter.sendMail({ from, to, subject: 'Welcome', text: 'Good to have you here.' });
 * ```
 * @throws {@link ConfigurationError} naming the option that is missing, wrong or unknown
 */
export const emailPlatformTransport = (options: EmailPlatformTransportOptions): EmailPlatformTransport =>
  new EmailPlatformTransport(options);
