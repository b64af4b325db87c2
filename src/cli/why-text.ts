/** The text that `why` prints. Makes text from the service printable. */
import { printable } from '../core/error-text.ts';
import type {
  DiagnosedContact,
  LoggedMail,
  NewestMail,
  NoMailReason,
  SenderVerdict,
  WhyNoMail,
} from '../entries/diagnose/index.ts';
import { lastEventOf } from '../entries/diagnose/last-event.ts';
import type { EmailPlatform } from '../index.ts';
import { shortLine } from './short-line.ts';

const SHOWN_BYTES = 200;
const TRACE_BYTES = 1_000;
const shown = (text: string) => shortLine(text, SHOWN_BYTES);

/** A time in UTC, such as `12 Nov 2026 10:31`. */
function moment(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const [, day = '', month = '', year = '', clock = ''] =
    /^\w+, (\d+) (\w+) (\d+) (\d+:\d+)/.exec(date.toUTCString()) ?? [];
  return `${day} ${month} ${year} ${clock}`;
}

const listed = (...parts: readonly (string | null | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== null && part !== '').join(', ');

const DOMAIN_STATES = {
  unverified: 'is not verified: `email-platform doctor` names its DNS records',
  missing: 'is not a sending domain that the token can see',
};

function textOf(reason: NoMailReason, domain: string): string {
  if (reason.kind === 'domain') return `the domain ${domain} ${DOMAIN_STATES[reason.state]}`;
  if (reason.kind === 'sandbox') return "the client's stream is the sandbox, which captures emails";
  if (reason.kind === 'recipients')
    return reason.outcome === 'refused'
      ? "the client's recipients (EMAIL_PLATFORM_RECIPIENTS) do not allow the address"
      : 'the client redirects email to another address (EMAIL_PLATFORM_REDIRECT_TO)';
  const { type, created_at, message_esp_response: response, id } = reason.suppression;
  return `${listed(shown(type), moment(created_at), response && shown(response))} (${shown(id)})`;
}

function elsewhere(reason: NoMailReason): string {
  if (reason.kind !== 'suppression') return '';
  const { sending_stream: stream, domain_name: domain } = reason.suppression;
  return ` [${listed(stream && shown(stream), domain && shown(domain))}]`;
}

/** The events of an email, as the end of a sentence. */
const ENDINGS: Readonly<Record<string, string>> = {
  delivery: 'was delivered',
  bounce: 'bounced',
  soft_bounce: 'bounced for now; the service tries again',
  reject: 'was rejected',
  suspension: 'was suspended',
  spam: 'was delivered, and reported as spam',
  unsubscribe: 'was delivered, and led to an unsubscription',
};

/** The newest email of a sender, as the end of a sentence. */
function newestText({ sent_at, state, event }: NewestMail): string {
  const of = `the newest email, of ${moment(sent_at)},`;
  if (!event)
    return state === 'pending'
      ? `${of} has no event yet`
      : `${of} ${state === 'delivered' ? 'was delivered' : 'was not delivered'}`;
  const { event_type: type } = event;
  const details = detailsOf(event);
  return `${of} ${ENDINGS[type] ?? `has the event ${shown(type)}`}${details === '' ? '' : `: ${shown(details)}`}`;
}

/** Whether a sender's email reaches the address: first what the records say, and then what happened last. */
function verdict(
  { domain, stream, reachable, reasons, newest }: SenderVerdict,
  { email, unreadable }: Pick<WhyNoMail, 'email' | 'unreadable'>,
): string {
  const sender = `from ${domain} (${stream})`;
  const last = newest && newestText(newest);
  const hasFailed = newest !== undefined && newest.state !== 'delivered';
  if (reachable === false) {
    const [reason] = reasons;
    const why = reason ? textOf(reason, domain) : '';
    // A suppression that the newest email outlived is worth a word: does the service stop its email?
    const isOutlived =
      reason?.kind === 'suppression' &&
      newest?.state === 'delivered' &&
      Date.parse(newest.sent_at) > Number(new Date(reason.suppression.created_at));
    return `Nothing is sent to ${email} ${sender}: ${why}${isOutlived ? `; yet ${last}` : ''}.`;
  }
  if (reachable === null) {
    const parts = unreadable.join(', ');
    const also = last === undefined ? '' : `; ${last}`;
    return `No readable record blocks email to ${email} ${sender}, but the token may not read ${parts}${also}.`;
  }
  if (hasFailed) return `No record blocks email to ${email} ${sender}, but ${last}.`;
  const also = last === undefined ? '' : `, and ${last}`;
  return `Email is sent to ${email} ${sender}: no record blocks it${also}.`;
}

/** The details of an event that say why an email failed. */
function detailsOf(event: EmailPlatform.EmailLogEvent | undefined): string {
  const {
    bounce_category: category,
    email_service_provider_response: response,
    reject_reason: reason,
  } = (event?.details ?? {}) as Readonly<Record<string, string | null | undefined>>;
  return listed(category, response, reason);
}

/** A summary of an email's last events. */
function outcome(mail: LoggedMail): string {
  const { status, opens_count: opens, clicks_count: clicks } = mail;
  const last = lastEventOf(mail);
  const details = detailsOf(last);
  return listed(
    `${shown(last?.event_type ?? status)}${details === '' ? '' : ` (${shown(details)})`}`,
    opens > 0 ? `opened ${opens}×` : '',
    clicks > 0 ? `clicked ${clicks}×` : '',
  );
}

/** The facts that tell which code sent an email, and two equal emails apart: its key is one of the variables. */
function traces({
  message_id: id,
  from,
  sending_stream: stream,
  category,
  custom_variables,
}: LoggedMail): string {
  const variables = Object.entries(custom_variables ?? {}).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return listed(id, stream, `from ${from}`, category && `category ${category}`, ...variables);
}

function mailLines({ mails, hasMoreMails, email }: WhyNoMail, days: number): string[] {
  if (mails === undefined) return [];
  const late = 'The log is late: an email or event of the last minutes may not be in it yet.';
  if (mails.length === 0) return [`  No email to ${email} in the log of ${days} days. ${late}`];
  const more = hasMoreMails ? ['  … and older ones'] : [];
  return [
    ...mails.flatMap((mail) => [
      `  ${moment(mail.sent_at)}  ${shown(mail.subject ?? '(no subject)')}   ${outcome(mail)}`,
      `      ${shortLine(traces(mail), TRACE_BYTES)}`,
    ]),
    ...more,
    `  ${late}`,
  ];
}

function contactLine(contact: DiagnosedContact | null | undefined): string[] {
  if (contact === undefined) return [];
  if (contact === null) return ['  Contact: none.'];
  const { status, lists, updated_at } = contact;
  const names = lists && lists.length > 0 ? `in list ${lists.map(shown).join(', ')}` : '';
  const since = status === 'unsubscribed' ? `changed ${moment(updated_at)}` : '';
  return [`  Contact: ${listed(shown(status), since, names)}. Campaigns alone depend on it.`];
}

/** All lines. Times are in UTC. */
export function whyText(result: WhyNoMail, days: number): string {
  const blocking = result.reasons.filter(({ blocks }) => blocks);
  const others = result.reasons.filter(({ blocks }) => !blocks);
  const [, ...also] = blocking.map((reason) => textOf(reason, result.domain));
  const isTracked = (result.trackingOptOuts?.length ?? 0) === 0;
  const lines = [
    verdict(result, result),
    ...also.map((why) => `  Also: ${why}.`),
    ...others.map((reason) => `  Elsewhere: ${textOf(reason, result.domain)}${elsewhere(reason)}.`),
    ...result.others.map((other) => `  Other sender: ${verdict(other, result)}`),
    ...mailLines(result, days),
    ...contactLine(result.contact),
    ...(isTracked ? [] : ['  Opens and clicks are not tracked: the address has opted out.']),
    ...(result.unreadable.length > 0
      ? [`  Not read, as the token may not: ${result.unreadable.join(', ')}.`]
      : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}
