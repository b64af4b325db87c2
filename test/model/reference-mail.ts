import { expect } from 'vitest';
import { Refused } from './verdict.ts';

/** How soon things happen. Not published, so these are the emulator's options. */
export const TIMING = {
  deliverMs: 1_000,
  openMs: 60_000,
  clickMs: 120_000,
  propagateMs: 600_000,
  reviewMs: 3_600_000,
} as const;

/** The recipient's address determines what happens to an email. */
export const FATES = [
  ...(['ann', 'quiet', 'bounce', 'stuck', 'soft-bounce', 'suspend', 'delayed', 'late-bounce'] as const),
  ...(['reject', 'opted-out', 'spam', 'unsubscribe'] as const),
] as const;
export type Fate = (typeof FATES)[number];

/** What happens to an email, in the order of time. */
const COURSES: Readonly<Record<Fate, readonly (readonly [event: string, at: keyof typeof TIMING])[]>> = {
  ann: [
    ['delivery', 'deliverMs'],
    ['open', 'openMs'],
    ['click', 'clickMs'],
  ],
  quiet: [['delivery', 'deliverMs']],
  bounce: [['bounce', 'deliverMs']],
  stuck: [],
  'soft-bounce': [['soft_bounce', 'deliverMs']],
  suspend: [['suspension', 'deliverMs']],
  delayed: [
    ['soft_bounce', 'deliverMs'],
    ['delivery', 'openMs'],
  ],
  'late-bounce': [
    ['delivery', 'deliverMs'],
    ['bounce', 'openMs'],
  ],
  reject: [['reject', 'deliverMs']],
  'opted-out': [['reject', 'deliverMs']],
  spam: [
    ['delivery', 'deliverMs'],
    ['open', 'openMs'],
    ['spam', 'clickMs'],
  ],
  unsubscribe: [
    ['delivery', 'deliverMs'],
    ['open', 'openMs'],
    ['unsubscribe', 'clickMs'],
  ],
};

/** The status after an event, by the service's page on statuses. More attempts follow a soft bounce and a suspension. */
const STATUS_AFTER: Readonly<Record<string, string>> = {
  soft_bounce: 'enqueued',
  suspension: 'enqueued',
  delivery: 'delivered',
  open: 'delivered',
  click: 'delivered',
  bounce: 'not_delivered',
  reject: 'not_delivered',
  spam: 'opted_out',
  unsubscribe: 'opted_out',
};

export interface DomainModel {
  readonly id: number;
  readonly name: string;
  /** When its DNS records start to pass. */
  verifiedAt: number;
  settings: DomainSettings;
  isRemoved: boolean;
}

export interface DomainSettings {
  readonly open_tracking_enabled: boolean;
  readonly click_tracking_enabled: boolean;
}

export interface TemplateFields {
  readonly name: string;
  readonly subject: string;
  readonly category: string;
  readonly body_html: string | null;
}

export interface TemplateModel {
  readonly id: number;
  readonly uuid: string;
  fields: TemplateFields;
  isRemoved: boolean;
}

export interface MessageModel {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly stream: 'transactional' | 'bulk';
  readonly domain: DomainModel;
  readonly templateId: number | null;
  readonly sentAt: number;
  readonly fate: Fate;
  /** The tracking settings of its domain when it was sent. */
  readonly tracking: DomainSettings;
}

/** The fields that the messages of one email share. */
export type SentMail = Pick<MessageModel, 'subject' | 'templateId' | 'from' | 'stream'> & {
  readonly sender: DomainModel;
};

/** Domains, templates and the log of what was sent, as the specification and the public reference describe them. */
export class Mail {
  readonly domains: DomainModel[] = [];
  readonly templates: TemplateModel[] = [];
  readonly messages: MessageModel[] = [];
  /** The number of addresses used so far. */
  recipients = 0;
  readonly #world: { readonly now: number };

  constructor(world: { readonly now: number }) {
    this.#world = world;
  }

  /** A domain is verified when all records are pass. */
  isVerified(domain: DomainModel | undefined): boolean {
    return domain !== undefined && !domain.isRemoved && this.#world.now >= domain.verifiedAt;
  }

  /** Progresses under_review, then awaiting_questionnaire, then compliant, after DNS verification. */
  complianceStatus(domain: DomainModel): string {
    if (!this.isVerified(domain)) return 'unverified_dns';
    const elapsed = this.#world.now - domain.verifiedAt;
    if (elapsed < TIMING.reviewMs) return 'under_review';
    return elapsed < 2 * TIMING.reviewMs ? 'awaiting_questionnaire' : 'compliant';
  }

  /** Adds a domain with the id that the service assigned; it is unverified until its DNS records pass. */
  addDomain(id: number, name: string, settings: DomainSettings): DomainModel {
    const verifiedAt = this.#world.now + TIMING.propagateMs;
    const domain = { id, name, verifiedAt, settings, isRemoved: false };
    this.domains.push(domain);
    return domain;
  }

  checkDomainName(name: string): void {
    if (this.#named(name)) throw new Refused(422, 'ValidationError', 1);
  }

  domain(id: number): DomainModel {
    return present(this.domains, id);
  }

  template(id: number): TemplateModel {
    return present(this.templates, id);
  }

  /** An email's sender and template. Refuses a domain that is not verified, or a template that does not exist. */
  accept(
    from: string,
    uuid: string | undefined,
  ): { sender: DomainModel; template: TemplateModel | undefined } {
    const sender = this.sender(from);
    const template = this.templates.find((one) => one.uuid === uuid && !one.isRemoved);
    const isLacking = uuid !== undefined && template === undefined;
    if (!sender && isLacking) throw new Refused([400, 401]);
    if (!sender) throw new Refused(401, 'AuthenticationError');
    if (isLacking) throw new Refused(400, 'BadRequestError');
    return { sender, template };
  }

  /** The verified domain of an address. */
  sender(from: string): DomainModel | undefined {
    const domain = this.#named(from.slice(from.indexOf('@') + 1));
    return this.isVerified(domain) ? domain : undefined;
  }

  /** Adds an accepted email: one message for each recipient, in the order to, cc, bcc. */
  sent(ids: readonly string[], recipients: readonly string[], mail: SentMail): void {
    expect(ids).toHaveLength(recipients.length);
    const { sender: domain, ...rest } = mail;
    for (const [index, to] of recipients.entries()) {
      const id = ids[index] ?? '';
      const fate = to.slice(0, to.indexOf('+')) as Fate;
      const tracking = { ...domain.settings };
      this.messages.push({ ...rest, id, to, domain, fate, tracking, sentAt: this.#world.now });
    }
  }

  /** Newest first; messages sent at the same time are in any order. */
  log(isWanted: (message: MessageModel) => boolean): MessageModel[] {
    return this.messages.filter(isWanted).sort((one, other) => other.sentAt - one.sentAt);
  }

  message(id: string): MessageModel {
    const message = this.messages.find((one) => one.id === id);
    if (message === undefined) throw new Refused(404, 'NotFoundError');
    return message;
  }

  /** The status of a message: that of its last event. */
  status(message: MessageModel): string {
    return STATUS_AFTER[this.events(message).at(-1) ?? ''] ?? 'enqueued';
  }

  /** The events of a message so far. */
  events({ fate, sentAt, tracking }: MessageModel): string[] {
    const elapsed = this.#world.now - sentAt;
    const isTracked = (event: string) =>
      (event !== 'open' || tracking.open_tracking_enabled) &&
      (event !== 'click' || tracking.click_tracking_enabled);
    return COURSES[fate].flatMap(([event, at]) => (elapsed >= TIMING[at] && isTracked(event) ? [event] : []));
  }

  #named(name: string): DomainModel | undefined {
    return this.domains.find((domain) => domain.name === name && !domain.isRemoved);
  }
}

function present<T extends { readonly id: number; readonly isRemoved: boolean }>(
  all: readonly T[],
  id: number,
): T {
  const found = all.find((one) => one.id === id);
  if (found === undefined || found.isRemoved) throw new Refused(404, 'NotFoundError');
  return found;
}
