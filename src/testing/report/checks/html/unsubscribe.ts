import { hasReaderLink } from '../../../service/state/emails/reader-links.ts';
import type { MailCheck } from '../../records/checked-mail.ts';

/** Words by which people and programs know such a link. */
const WORDS =
  /unsub|opt[-_ ]?out|abmeld|abbestell|austragen|d[ée]sinscri|d[ée]sabonn|dar(?:se|te) de baja|date de baja|cancelar|descadastr|annulla|disiscri|cancellar|afmelden|uitschrij|avregistrer|avprenumer|afmeld|frameld|avmeld|peruuta|wypis|rezygn|odhlásit|leiratkoz|dezabon|abonelikten|hủy đăng ký|berhenti berlangganan|preferences|manage.{0,20}(?:e-?mail|subscription)|__unsubscribe_url__|配信停止|配信解除|購読解除|登録解除|退订|退訂|取消订阅|取消訂閱|수신 ?거부|구독 ?(?:취소|해지)|отписаться|отпис|відписатися|إلغاء الاشتراك|הסרה|ยกเลิก|सदस्यता समाप्त/iu;
/** Words beside a link such as "here", in its sentence. */
const SENTENCE_WORDS =
  /no longer (?:want|wish|receive)|rather not|(?:take|taken) (?:me |you )?off|vill (?:du )?inte ha|nicht bekommen|(?:prefieres|deseas) no recibir|non vuoi ricevere|sair da lista|nie chcesz|不想再|希望されない|(?:don.?t|do not) want|stop (?:receiving|getting)|keine? .{0,40}mehr|nicht mehr|ne (?:plus|souhaitez plus)|plus recevoir|ya no|no (?:deseas?|quieres?) (?:recibir|más)|não (?:deseja|quer)(?: mais)?|non (?:vuoi|desideri) più|geen .{0,40}meer|停止|解除/iu;

/** Bulk mail without a link to unsubscribe. The header of the caller is one, too. */
export const unsubscribe: MailCheck = ({ mail, anchors, plainText }) => {
  if (mail.stream !== 'bulk') return [];
  const isLinked =
    anchors.some(
      ({ href, sentence }) => WORDS.test(href) || WORDS.test(sentence) || SENTENCE_WORDS.test(sentence),
    ) ||
    (/https?:|mailto:/i.test(plainText) && (WORDS.test(plainText) || SENTENCE_WORDS.test(plainText)));
  const hasHeader = mail.headers.some(
    ([name, value]) => name.toLowerCase() === 'list-unsubscribe' && !hasReaderLink(value),
  );
  return isLinked || hasHeader
    ? []
    : [{ level: 'warn', message: 'Bulk mail without a link to unsubscribe in its text' }];
};
