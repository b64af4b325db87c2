import {
  readMailTemplate,
  renderMail,
  type MailParts,
  type MailTemplate,
  type RenderedMail,
} from '../../../../handlebars/mail.ts';
import type { Course } from '../emails/course.ts';
import type { LogRecord, MailFacts } from '../emails/email-log.ts';
import type { Address, Mail } from '../emails/mail.ts';
import type { Copy } from '../emails/outbox.ts';
import { firstLink } from './first-link.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The facts that all emails of a campaign share, as plain data. */
export interface MailingFacts {
  /** A UUID. The ids of the emails follow from it and from their turns. */
  readonly base: string;
  readonly campaign: string;
  readonly accountId: number;
  readonly domainId: number;
  readonly domainName: string;
  readonly templateId: number;
  readonly groupId: string;
  readonly startedAt: number;
  /** The time from one email to the next, in milliseconds. */
  readonly everyMs: number;
  readonly from: Address;
  readonly replyTo: Address | null;
  readonly parts: MailParts;
}

/** The emails of a campaign from one start. It keeps their shared facts only: an email is derived when it is read. */
export class Mailing {
  readonly facts: MailingFacts;
  #template: MailTemplate | 'invalid' | undefined;
  #hasLink: boolean | 'varies' | undefined;

  constructor(facts: MailingFacts) {
    this.facts = facts;
  }

  get accountId(): number {
    return this.facts.accountId;
  }

  /** The id of the email to the contact with this turn. */
  idOf(turn: number): string {
    const { base } = this.facts;
    // Differs in its first digits, because they determine when the log shows the email.
    const first = (Number.parseInt(base.slice(0, 8), 16) ^ Math.imul(turn, 0x9e3779b1)) >>> 0;
    const last = (Number.parseInt(base.slice(28), 16) ^ turn) >>> 0;
    return hex(first) + base.slice(8, 28) + hex(last);
  }

  /** The turn of the email with an id; `undefined` if no email of the mailing can have the id. */
  turnOf(id: string): number | undefined {
    const turn = (Number.parseInt(id.slice(28), 16) ^ Number.parseInt(this.facts.base.slice(28), 16)) >>> 0;
    return this.idOf(turn) === id ? turn : undefined;
  }

  /** The time of the email with a turn. */
  sentAt(turn: number): number {
    const { startedAt, everyMs } = this.facts;
    return startedAt + Math.floor(turn * everyMs);
  }

  /** The characters of the template. */
  get size(): number {
    const { subject, html, text } = this.facts.parts;
    return subject.length + (html?.length ?? 0) + (text?.length ?? 0);
  }

  /** The email for a contact with these fields. A template that is not Handlebars is sent as it is. */
  rendered(fields: Fields): Pick<RenderedMail, 'subject' | 'html' | 'text'> {
    try {
      this.#template ??= readMailTemplate(this.facts.parts);
      if (this.#template !== 'invalid') return renderMail(this.#template, fields);
    } catch {
      this.#template = 'invalid';
    }
    return this.facts.parts;
  }

  /** Whether the email for a contact with these fields has a link. Renders it only if that depends on the contact. */
  hasLink(fields: Fields): boolean {
    this.#hasLink ??= this.#linkOfAll();
    return this.#hasLink === 'varies' ? firstLink(this.rendered(fields)) !== undefined : this.#hasLink;
  }

  #linkOfAll(): boolean | 'varies' {
    const { html, text } = this.facts.parts;
    const body = html ?? text ?? '';
    const hasLink = firstLink({ html, text }) !== undefined;
    // A link may stand in a block, and a variable may be one.
    return (hasLink ? /\{\{[#^~]/ : /\{\{/).test(body) ? 'varies' : hasLink;
  }
}

const hex = (word: number) => word.toString(16).padStart(8, '0');

/** The entry of the log for one email of a campaign. Its content is derived from the mailing and the contact's fields. */
export class CampaignEntry implements LogRecord {
  readonly mailing: Mailing;
  readonly turn: number;
  readonly order: number;
  readonly to: string;
  /** The fields of the contact at the time of the email. */
  readonly fields: Fields;
  course: Course;
  #threadId: string | null;

  constructor(
    mailing: Mailing,
    turn: number,
    order: number,
    to: string,
    fields: Fields,
    course: Course,
    threadId: string | null = null,
  ) {
    this.mailing = mailing;
    this.turn = turn;
    this.order = order;
    this.to = to;
    this.fields = fields;
    this.course = course;
    this.#threadId = threadId;
  }

  get id(): string {
    return this.mailing.idOf(this.turn);
  }

  get sentAt(): number {
    return this.mailing.sentAt(this.turn);
  }

  get mail(): MailFacts {
    const { facts } = this.mailing;
    const rendered = () => this.mailing.rendered(this.fields);
    const written = () => this.written;
    return {
      accountId: facts.accountId,
      domainId: facts.domainId,
      stream: 'bulk',
      from: facts.from.email,
      get subject() {
        return rendered().subject;
      },
      clientIp: null,
      category: null,
      customVariables: null,
      templateId: facts.templateId,
      templateVariables: this.fields,
      inReplyTo: null,
      references: [],
      threadId: this.#threadId,
      groupId: facts.groupId,
      get link() {
        return firstLink(rendered()) ?? `https://${facts.domainName}/`;
      },
      get content() {
        return written();
      },
    };
  }

  /** Takes the thread only: the other facts follow from the mailing. */
  set mail({ threadId }: MailFacts) {
    this.#threadId = threadId;
  }

  /** The email itself. */
  get written(): Mail {
    const { from, replyTo, templateId } = this.mailing.facts;
    const { subject, html, text } = this.mailing.rendered(this.fields);
    return {
      from,
      replyTo,
      to: [{ email: this.to, name: null }],
      cc: [],
      bcc: [],
      subject,
      html,
      text,
      headers: {},
      attachments: [],
      category: null,
      customVariables: null,
      templateId,
      template: null,
      templateVariables: this.fields,
    };
  }

  /** The arguments of the constructor, for a snapshot. */
  get parts(): ConstructorParameters<typeof CampaignEntry> {
    return [this.mailing, this.turn, this.order, this.to, this.fields, this.course, this.#threadId];
  }
}

/** The fields that are the same in every copy. */
const SENT = { field: 'to', stream: 'bulk', inboxId: null } as const;

/** The copy of one email of a campaign in the outbox. */
export class CampaignCopy implements Copy {
  readonly entry: CampaignEntry;
  readonly place: number;

  constructor(entry: CampaignEntry, place: number) {
    this.entry = entry;
    this.place = place;
  }

  get id(): string {
    return this.entry.id;
  }

  get mailing(): Mailing {
    return this.entry.mailing;
  }

  get field(): 'to' {
    return SENT.field;
  }

  get recipient(): Address {
    return { email: this.entry.to, name: null };
  }

  get mail(): Mail {
    return this.entry.written;
  }

  get stream(): 'bulk' {
    return SENT.stream;
  }

  get inboxId(): null {
    return SENT.inboxId;
  }

  get at(): number {
    return this.entry.sentAt;
  }

  /** The arguments of the constructor, for a snapshot. */
  get parts(): ConstructorParameters<typeof CampaignCopy> {
    return [this.entry, this.place];
  }
}
