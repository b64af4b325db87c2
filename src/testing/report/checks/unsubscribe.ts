import { hasReaderLink } from '../../service/state/emails/reader-links.ts';
import type { MailCheck } from '../records/checked-mail.ts';

/** Words by which people and programs know such a link. */
const WORDS =
  /unsub|opt[-_ ]?out|abmeld|abbestell|austragen|d[ée]sinscri|d[ée]sabonn|darse de baja|cancelar|annulla|disiscri|afmelden|uitschrijv|avregistrer|afmeld|preferences|manage.{0,20}(?:e-?mail|subscription)|__unsubscribe_url__|配信停止|退订|取消订阅|отписаться/iu;

/** Bulk mail without a link to unsubscribe. The header of the caller is one, too. */
export const unsubscribe: MailCheck = ({ mail, anchors, plainText }) => {
  if (mail.stream !== 'bulk') return [];
  const isLinked =
    anchors.some(({ href, text }) => WORDS.test(href) || WORDS.test(text)) ||
    (/https?:|mailto:/i.test(plainText) && WORDS.test(plainText));
  const hasHeader = mail.headers.some(
    ([name, value]) => name.toLowerCase() === 'list-unsubscribe' && !hasReaderLink(value),
  );
  return isLinked || hasHeader
    ? []
    : [{ level: 'warn', message: 'Bulk mail without a link to unsubscribe in its text' }];
};
