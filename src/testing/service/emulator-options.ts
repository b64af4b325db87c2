import type { TemplateFolder } from '../../entries/templates/types.ts';
import type { EmulatorAnswers } from './state/account/answers.ts';
import type { EmulatorAccountOptions } from './state/account/accounts.ts';
import type { EmulatorSeed } from './routing/area.ts';
import type { EmulatorCampaignTiming } from './state/delivery/campaigns.ts';
import type { EmulatorContactOptions } from './state/audience/contacts.ts';
import type { EmulatorLogOptions } from './state/emails/email-log.ts';
import type { EmulatorInboundOptions } from './state/inboxes/inbound.ts';
import type { EmulatorSandboxOptions } from './state/inboxes/sandbox.ts';
import type { EmulatorDomainTiming } from './state/account/domains.ts';
import type { EmulatorSendingOptions } from './state/emails/outbox.ts';
import type { EmulatorSuppressionOptions } from './state/audience/suppressions.ts';
import type { EmulatorWebhookOptions } from './state/posts/webhooks.ts';
import type { EmulatorLimits } from './state/account/limiter.ts';
import type { EmulatorWindowKind } from './state/account/windows.ts';

/** The options of {@link createEmulator}. */
export interface EmulatorOptions {
  /**
   * The initial data. `empty`: one verified and one unverified domain. `demo`: several domains, 240 campaigns in all
   * states, contacts on 40 lists, templates and a week of email logs, always the same. Both also have one test inbox and
   * three people with access to the account.
   * @defaultValue 'empty'
   */
  seed?: EmulatorSeed;
  /**
   * The id of the account, for an emulator that plays one of several accounts, such as staging.
   * @defaultValue 1001
   */
  accountId?: number;
  /**
   * Rate limits that replace the published ones (150 requests in 10 seconds per token, and those of the account's pools).
   * `false` removes the limit of a pool, or all limits.
   */
  limits?: EmulatorLimits | false;
  /**
   * How rate-limit windows behave. Recorded exchanges with the service show aligned windows.
   * @defaultValue 'aligned'
   */
  window?: EmulatorWindowKind;
  /**
   * Whether requests to the sending hosts count in the pool of the token. The limit is published for all endpoints, but
   * the sending hosts do not show it in their headers.
   * @defaultValue true
   */
  countSending?: boolean;
  /**
   * The source for two bodies in which the sources about the service differ: a 403 of a sending host (`errors` is a text or
   * a list) and a 429 of an account's pool (the field is `error` or `errors`). `specified`: the specification. `recorded`:
   * recorded exchanges and the public reference.
   * @defaultValue 'specified'
   */
  answers?: EmulatorAnswers;
  /**
   * Whether a report shows the headers and bodies of every request and response, up to 64 KiB each. Without it, it shows
   * those of refused requests, and of all requests while a control API is open.
   * @defaultValue false
   */
  details?: boolean;
  /** How long campaigns take to send and to terminate, and their state when sending begins. */
  campaigns?: EmulatorCampaignTiming;
  /** Which emails are accepted, and when events happen to them. */
  sending?: EmulatorSendingOptions;
  /** How the email logs behave. */
  logs?: EmulatorLogOptions;
  /** How long the verification and the review of a sending domain take. */
  domains?: EmulatorDomainTiming;
  /** How contacts behave, and how long their imports and exports take. */
  contacts?: EmulatorContactOptions;
  /** How the lists of suppressions and of tracking opt-outs behave. */
  suppressions?: EmulatorSuppressionOptions;
  /** The paths and the contents of the account endpoints, and how long API tokens are valid. */
  accounts?: EmulatorAccountOptions;
  /** The delivery of webhooks, and its timing. */
  webhooks?: EmulatorWebhookOptions;
  /** How inbound mail behaves. */
  inbound?: EmulatorInboundOptions;
  /** How test inboxes behave. */
  sandbox?: EmulatorSandboxOptions;
  /**
   * Templates of the account from the start, as `readTemplates` of `email-platform/templates` returns them. An email
   * finds a template by any UUID in its folder: that of each account, and the one before the first push.
   */
  templates?: readonly TemplateFolder[];
  /**
   * The API token of {@link Emulator.clientOptions}: letters, digits and `. _ + / = -`. It also protects the signed
   * links, such as those to raw messages, attachments and exports. By default, every emulator has the same token, which
   * is enough in memory and for a test. Choose a random token for an emulator that listens on a port while you work.
   */
  token?: string;
  /**
   * The time source, which returns milliseconds since the Unix epoch. If it always returns the same number, only
   * `clock.advance` and `clock.set` move the clock.
   * @defaultValue Date.now
   */
  now?: () => number;
}
