import { LANGUAGES } from '../../../reading/text/languages.ts';
import { hasReaderLink } from '../../../service/state/emails/reader-links.ts';
import type { CheckedMail, Fault, MailCheck } from '../../records/checked-mail.ts';

/** Words by which people and programs know such a link. */
const WORDS = new RegExp(
  LANGUAGES.flatMap(([, , words = []]) => words)
    .join('|')
    .replaceAll('…', '.{0,20}'),
  'iu',
);

/** To receive, to want, a list: what the end of an email says about itself. */
const RECEIVING =
  /receiv|(?<!\p{L})(?:get|getting|want|wish|hear|updates?|(?:mailing|the|this) list)(?!\p{L})|(?<!\p{L})(?:e-?)?mails?(?!\p{L})|newsletter|erhalte|bekomm|empfang|(?<!\p{L})post(?!\p{L})|verteiler|recevoir|recevez|contacté|liste|recib|lista|ricev|receb|ontvang|få(?!\p{L})|vill|otrzym|chcesz|dostáv|halua|almak|получа|рассыл|收到|接收|受信|配信|メルマガ|購読|メール|수신|메일|رسائل/iu;
/** Not, no longer, off, out. */
const LEAVING =
  /(?<!\p{L})(?:no|(?<!did )not|stop|off|out|leave|keine?|nicht|aus|ne|plus|pas|non|não|sair|salir|uscire|quitter|geen|niet|inte|ikke|ei|nie|не|enää|nechcete)(?!\p{L})|(?<!did)n['’]t(?!\p{L})|istemiyor|不|ない|解除|停止|않|لا/iu;
/** Why a person gets the email. */
const REASON =
  /(?<!\p{L})(?:because|weil|da du|parce que|car vous|porque|perché|omdat|eftersom|fordi|ponieważ|потому)(?!\p{L})|因为|ため/iu;

/** Lines at the end of an email, where it says who wrote it, why, and how to get no more. */
const LAST_LINES = 4;
/** An address, or the number of one in the footnotes. */
const ADDRESS = /https?:|mailto:|\[\d{1,3}\]/i;

const linesOf = (text: string) => text.split(/[\n\r]+/).filter((line) => line.trim() !== '');

/** Whether a line at the end tells how to get no more emails. */
const isWayOut = (line: string) =>
  WORDS.test(line) || (RECEIVING.test(line) && (LEAVING.test(line) || REASON.test(line)));

function isLinked({ anchors, htmlText, plainText }: CheckedMail): boolean {
  if (anchors.some(({ href, sentence }) => WORDS.test(href) || WORDS.test(sentence))) return true;
  const lastOfHtml = linesOf(htmlText)
    .slice(-LAST_LINES)
    .filter((line) => anchors.some(({ text }) => text.trim() !== '' && line.includes(text.trim())));
  // The words of a link stand in its line, or in the line before.
  const lines = linesOf(plainText);
  const linked = lines.flatMap((line, index) =>
    ADDRESS.test(line) ? [{ index, text: `${lines[index - 1] ?? ''}\n${line}` }] : [],
  );
  return (
    lastOfHtml.some(isWayOut) ||
    linked.some(({ index, text }) => (index >= lines.length - LAST_LINES ? isWayOut(text) : WORDS.test(text)))
  );
}

const headerOf = ({ headers }: CheckedMail['mail'], wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** The fault of an email's own headers for one-click unsubscription: providers of bulk mail ask for both. */
function faultOfHeaders(mail: CheckedMail['mail'], list: string | undefined): readonly Fault[] {
  const post = headerOf(mail, 'list-unsubscribe-post');
  if (list === undefined && post === undefined) return [];
  const isPosted = /<https:[^>]/i.test(list ?? '');
  if (post !== undefined ? isPosted : mail.stream !== 'bulk') return [];
  const what = isPosted
    ? 'List-Unsubscribe without List-Unsubscribe-Post: providers show no one-click button'
    : 'No https address in List-Unsubscribe: providers have nowhere to post the one click';
  return [{ level: 'warn', message: `${what} (oneClickUnsubscribe makes both headers)` }];
}

/** Bulk mail without a link to unsubscribe, and headers that are no one-click. The header of the caller is a link, too. */
export const unsubscribe: MailCheck = (checked) => {
  const list = headerOf(checked.mail, 'list-unsubscribe');
  const isOfService = list !== undefined && hasReaderLink(list);
  const own = isOfService ? [] : faultOfHeaders(checked.mail, list);
  const hasWayOut = isLinked(checked) || (list !== undefined && !isOfService);
  if (own.length > 0 || checked.mail.stream !== 'bulk' || hasWayOut) return own;
  return [{ level: 'warn', message: 'Bulk mail without a link to unsubscribe in its text' }];
};
