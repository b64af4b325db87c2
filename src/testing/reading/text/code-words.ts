/** Words that introduce a code, and words that name another number: an order, a customer, a register, a card. */
import { LANGUAGES } from './languages.ts';
import { isUnspaced } from './unspaced.ts';

/** The place of digits in a text, by offsets. */
export interface Digits {
  readonly start: number;
  readonly end: number;
}

const list = (words: string): readonly string[] => words.trim().split(/\s+/);
const set = (words: string): ReadonlySet<string> => new Set(list(words));

/** The longest text before or after digits in which a word is looked for, in characters. */
const REACH = 120;

const CODE_WORDS = LANGUAGES.flatMap(([, codes = []]) => codes);
/** Words for a code. Others end with one of them: Bestätigungscode, SMS-Code. */
const ENDINGS = CODE_WORDS.flatMap((word) => (word.startsWith('…') ? [word.slice(1)] : []));
/** Words of languages that write no spaces between words, and fixed expressions. */
const PHRASES = CODE_WORDS.filter((word) => word.includes(' ') || isUnspaced(word));
const WHOLE = new Set(CODE_WORDS.filter((word) => !PHRASES.includes(word)));

/** What such a word names together with the word before it, or with its own beginning, is no code to enter. */
const OTHER_BEFORE =
  set(`postal post zip promo promotion promotional discount coupon voucher gift referral invite
  invitation tracking area country bar qr source error status dress sort swift bank product item article color colour tax
  customer client order booking reservation campaign building branch exit http response reply result reason return fault failure hata
  posta ürün indirim promosyon kampanya müşteri hediye почтовый`);
const OTHER_BEGINNINGS =
  list(`post zip bar promo rabatt gutschein aktions strich qr- unicode decode encode kortings
  kampanj bankkod länder gratis wertgutschein geschenk barkod produkt artikel fehler kunden klant actie product промо штрих
  fout felkod fejl feil virhe hibak`);
/** Between it and the word there may be an article. */
const OTHER_AFTER =
  set(`postal postale promo promotionnel promocional fiscal fiscale sconto client cliente produit
  producto produto prodotto barres barras barre pocztowy pocztowego rabatowy kreskowy descuento desconto réduction
  parrainage insee siren ape naf iban bic guichet banque réservation commande article cadeau avantage conduct reserva pedido artículo cupom rastreio rastreamento
  prenotazione ordine univoco tributo destinatario articolo produktu klienta promocyjny скидки товара клиента заказа региона
  домофона ошибки error errore erro d'erreur d’erreur błędu chyby eroare помилки σφάλματος kesalahan lỗi שגיאה خطأ الخطأ البريدي الخصم القسيمة المنتج العميل الترويجي الطلب`);
const ARTICLES = set('of de du di da do del della des la le à a');
const OTHER_PHRASE =
  /(?:クーポン|プロモ(?:ーション)?|QR|バー|商品|製品|部品|機種|注文|管理|割引|招待|紹介|国|銀行|支店|エラー|ソース|会員|お客様|企業|店舗|予約|郵便|番組)コード$|(?:상품|쿠폰|할인|프로모션|초대|추천|바|QR|국가|은행|오류|우편|회원|제품|매장) ?코드$/iu;

/** Before the code of an error: "The server returned code 5000", "Error 5000: code 5012". */
const FAILED =
  /(?<!\p{L})(?:(?:returns?|returned|respond(?:s|ed)|replie[sd]|answered|fail(?:s|ed)|exit(?:s|ed)|crash(?:es|ed)|abort(?:s|ed)|threw|terminated|raised|reject(?:s|ed)|meldete?|antwortete?|renvoyé|retourné|répondu|échoué|devolvió|respondió|falló)(?: (?:\p{L}+ ){0,3}(?:with|by|mit|avec|con))?(?: ?[(:])?(?: (?:the|an?|non-zero|us|status|de[nmr]?|ein\p{L}{0,2}|le|un|el))*|(?:errors?|exceptions?|failure|fehler|erreur)(?: \(?\d+\)?)?[ :,;(–-]*) ?$/iu;

/** After the code of an error: "Code 5012: internal server error". */
const OF_ERROR =
  /^\s?[:：(–—-]\s?(?:\p{L}+ ){0,3}(?:errors?|exception|failed|failure|unavailable|timed out|fehler|erreur)(?!\p{L})/iu;

/** Verbs and articles between a word and its number. */
const COPULAS =
  set(`is was are ist lautet war est es era è é jest to on er är are este это is: the a an your der die das
  dein deine ihr ihre für la le el o il su tu votre een nº`);

const NUMBER_WORDS = set(
  `number numbers no nos n nr nro num núm numéro número numero nummer numer nº n° № id ids ref номер telefonnummer`,
);
/** Words for things that have numbers. German, Dutch and Scandinavian ones also begin a longer word: Bestellnummer. */
const NAMED =
  set(`order orders invoice invoices booking reservation ticket tickets case customer account member membership
  reference tracking shipment parcel package delivery transaction receipt policy contract serial article item room gate
  flight train seat purchase po payment statement registration company vat siret siren rcs kvk cvr hrb hra krs nip regon
  abn acn ein cnpj uid fn issue request build version port error article page chapter lot batch model sku record file
  authorization authorisation autorización autorização autorisation autorizzazione genehmigung approval booth stand hall
  desk counter platform track gleis tisch table locker gate bay unit terminal extension ext channel route road highway area
  district station studio class grade level edition volume vol sala aula stanza chambre habitación quarto kamer saal halle
  clínica expediente paciente matrícula protocolo protocollo voucher vouchers coupon coupons gutschein cupón
  bestellung auftrag rechnung buchung reservierung kunde kundin kunden vorgang mitglied sendung vertrag konto quittung
  raum zimmer seite fehler artikel bestelling factuur klant boeking zending rekening
  commande facture client réservation dossier colis compte contrat abonnement
  pedido factura cliente reserva envío cuenta contrato recibo encomenda fatura conta
  ordine fattura prenotazione spedizione conto ricevuta zamówienie zamówienia faktura faktury klienta rezerwacja
  beställning kund ordre bestilling medlem заказ заказа заказу счёт счет клиент sipariş müşteri`);
const AMOUNTS =
  set(`total subtotal price amount balance sum summe betrag gesamt preis saldo montant prix solde precio importe preço valor
  prezzo totale totaal bedrag kwota suma`);
const POSTAL = set('zip plz cap cep cp postcode postleitzahl postleitzahlen postnummer postkod 〒');
const COUNTS =
  set(`visitors views visits clicks opens subscribers followers likes steps sessions users points credits sales revenue
  impressions downloads customers contacts besucher klicks schritte punkte visiteurs visitas pasos`);
const PHONES =
  set(`tel tél phone telephone telefon téléphone teléfono telefone telefono telefoon telefonnummer puhelin fax mobile mobil cell
  hotline whatsapp text sms call dial тел телефон`);
const NAMED_PHRASES = list(
  `编码 編碼 番号 番號 編號 编号 号码 號碼 单号 單號 订单 訂單 订单号 注文 번호 주문`,
);
const PHONE_PHRASES = list('電話 電話番号 电话 電話號碼 전화 전화번호');
const POST_PHRASES = list('〒 郵便番号 邮编 邮政编码 郵遞區號 우편번호');
/** Words before the last digits of a card or an account. */
const CARD =
  /(?:(?:end(?:ing|s)|endet|endend|endete|finishing)(?: (?:in|with|on|auf|mit))?|(?:terminant|termine|se termine|terminée?) par|(?:termina(?:da|do|ta)?|terminación) (?:en|em|in|con|por)|eindig(?:end|t) op|kończąc\p{L}{1,3} się na|尾[号號]|末尾|下4桁|下四桁|末四[碼码]|끝자리|endziffern|endnummern?|letzten \p{L}{0,10} ?ziffern|last four(?: digits)?|last 4(?: digits)?|[*•·xX…]{2,}|visa|mastercard|maestro|amex|card|karte|carte|tarjeta|cartão|carta|kaart)[ :：]?$/iu;

/** A word in a text, by its place. */
interface Word {
  readonly text: string;
  readonly end: number;
}

const WORD = /[\p{L}\p{M}\p{N}°№º'’-]+/gu;

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: word.toLowerCase().replace(/^['’-]+|['’-]+$/g, ''),
    end: index + word.length,
  }));

const namesCode = (word: Word | undefined) =>
  word !== undefined && (WHOLE.has(word.text) || ENDINGS.some((ending) => word.text.endsWith(ending)));

const isNumberWord = (word: string) =>
  NUMBER_WORDS.has(word) || POSTAL.has(word) || /(?:nummer|numret|zahl|zeichen|kennung)$/.test(word);

/** Whether a word, with those around it, means a code to enter. */
function isCodeWord(text: string, words: readonly Word[], index: number): boolean {
  const word = words[index]?.text ?? '';
  if (word === 'lautet') return !isNumberWord(words[index - 1]?.text ?? '');
  if (!namesCode(words[index])) return false;
  if (OTHER_BEGINNINGS.some((beginning) => word.startsWith(beginning))) return false;
  if (FAILED.test(text.slice(0, (words[index]?.end ?? 0) - word.length))) return false;
  const [next, afterNext] = [words[index + 1]?.text ?? '', words[index + 2]?.text ?? ''];
  return (
    !OTHER_BEFORE.has(words[index - 1]?.text ?? '') &&
    !OTHER_AFTER.has(next) &&
    !(ARTICLES.has(next) && OTHER_AFTER.has(afterNext))
  );
}

/** The last word for a code in a text, and the place of its end. */
function lastCodeWord(text: string): Word | undefined {
  const words = wordsOf(text);
  let found: Word | undefined;
  for (let index = words.length - 1; index >= 0 && found === undefined; index -= 1)
    if (isCodeWord(text, words, index)) found = words[index];
  const lower = text.toLowerCase();
  for (const phrase of PHRASES) {
    const at = lower.lastIndexOf(phrase.toLowerCase());
    const end = at + phrase.length;
    if (at < 0 || end <= (found?.end ?? 0)) continue;
    if (OTHER_PHRASE.test(lower.slice(0, end))) continue;
    found = { text: phrase, end };
  }
  return found;
}

/** The end of a sentence that goes on, in the text between a word and digits. An abbreviation has a small letter after it. */
const SENTENCE_ENDS = /[.!?](?=\s+[^\s\p{Ll}])|[。！？](?=\s*\S)/u;
/** The text before digits: on their line, or if they begin it, the line before. A tab between cells is a space. It begins `at`. */
function contextOf(text: string, start: number) {
  const all = text.slice(Math.max(0, start - REACH), start).replaceAll('\t', ' ');
  const line = all.slice(all.lastIndexOf('\n') + 1);
  if (/[\p{L}\p{N}]/u.test(line) || line.length === all.length)
    return { before: line, at: start - line.length, isOwnLine: true };
  const earlier = all.slice(0, all.length - line.length).trimEnd();
  const before = earlier.slice(earlier.lastIndexOf('\n') + 1);
  return { before, at: start - all.length + earlier.length - before.length, isOwnLine: false };
}

/**
 * The word that introduces digits as a code, with how closely; `undefined` if none does.
 *
 * @param from - The end of the code before them: a word before that introduces that one.
 */
export function introductionOf(
  text: string,
  { start, end }: Digits,
  isAlone: boolean,
  from: number,
): Introduction | undefined {
  const { before, isOwnLine, at } = contextOf(text, start);
  const word = lastCodeWord(before);
  if (word !== undefined && at + word.end > from && !OF_ERROR.test(text.slice(end, end + REACH))) {
    const between = before.slice(word.end);
    const isInSentence = !SENTENCE_ENDS.test(between);
    const isClose =
      isInSentence && wordsOf(between).every(({ text: one }) => COPULAS.has(one) || NUMBER_WORDS.has(one));
    // In "The code for user 8812 is 440912", the word introduces the digits after the verb.
    const isOfLater = !isClose && isOwnLine && IS_LATER.test(text.slice(end, end + REACH));
    if ((isOwnLine ? isInSentence : isClose || isAlone) && !isOfLater)
      return { word: word.text, isClose, end: at + word.end };
  }
  return introducedAfter(text, end);
}

/** A word for a code, and whether nothing but a verb or an article is between it and the digits. */
export interface Introduction {
  readonly word: string;
  readonly isClose: boolean;
  /** The offset of its end. A word after a code introduces no later digits. */
  readonly end: number;
}

/** Verbs by which a sentence tells to enter digits. */
const ENTER = new RegExp(
  `(?<!\\p{L})(?:enter(?:ing)?|type|use|using|input|key in|tap|paste|give|quote|gib|geben|eingeben|verwenden?|nutzen?|benutzen?|saisi[rst]\\p{L}*|entrez|entrer|utilise[rz]?|tapez|introdu[czs]\\p{L}*|ingres[ae]\\p{L}*|us[aei]|usar|escrib[ae]\\p{L}*|digit[aei]\\p{L}*|insira|inserir|utilize|inserisc[ai]\\p{L}*|inserire|voer|gebruik|vul|wpisz|podaj|użyj|zadejte|ange|skriv|använd|indtast|brug|bruk|oppgi|syötä|girin?|kullanın?|introduceți|введите|используйте|укажите|введіть|أدخل|استخدم|הזן|दर्ज)(?!\\p{L})|(?<!\\p{L})(?:with|mit|avec|con|met|med)\\s*$|入力|输入|輸入|使用|입력|ใส่|กรอก`,
  'iu',
);

/** Whether the sentence of digits tells a reader to enter them. */
export function isToEnter(text: string, { start, end }: Digits): boolean {
  const { before } = contextOf(text, start);
  const after = /^[^\n\t.!?。！？]*/u.exec(text.slice(end, end + REACH))?.[0] ?? '';
  return (
    ENTER.test(before.replace(/^[^]*(?:[.!?](?=\s)|[。！？])/u, '')) ||
    /^\s*(?:ein|eingeben|を入力|입력|entry)/u.test(after)
  );
}

/** What joins a code to the word after it: `482913 is your code`, `482913 – your code`, `482913が認証コードです`. */
const JOINS =
  /^[)\]"'”’»」』】）]*(?:\s+(?:is|ist|est|es|è|é|jest|to|er|är|on|este|это)\s|\s*[-–—=:：]\s|\s*(?:が|は|是|为|為|을|를|은|는))/u;
/** Turkish words for a code that have the verb in them: `482913 doğrulama kodunuzdur`. */
const WITH_VERB = /(?<!\p{L})(?:kodun(?:uz)?dur|şifrenizdir)(?!\p{L})/u;

/** Digits that the verb or the colon of the same sentence introduces. */
const IS_LATER =
  /^[^\n.!?。:：=\d()（]{0,40}(?:[:：=]|(?<!\p{L})(?:is|ist|lautet|est|es|è|é|jest|är|er)[:：]?) ?["“„«]?\d{4}/iu;
/** Between a word for a code and its digits. */
const INTRODUCES = /^\s*(?:(?:[:：=]|is|ist|lautet|est|es)\s*)?\d{4}/iu;

function introducedAfter(text: string, end: number): Introduction | undefined {
  const after = text.slice(end, end + REACH);
  const clause = /^[^\n\t.!?。！？\d]*/u.exec(after)?.[0] ?? '';
  const word = JOINS.test(clause) || WITH_VERB.test(clause) ? lastCodeWord(clause) : undefined;
  // In "Max 5512 – code: 445566", the word introduces the digits after it.
  if (word === undefined || INTRODUCES.test(text.slice(end + word.end, end + word.end + REACH)))
    return undefined;
  return { word: word.text, isClose: true, end: end + word.end };
}

/** Why the words directly before digits say that they are no code; `undefined` if they do not. */
export function labelOf(text: string, start: number): string | undefined {
  const { before, isOwnLine } = contextOf(text, start);
  if (CARD.test(before)) return 'the end of the number of a card or an account';
  const bare = before.replace(/[\s:：#=是为為はがのは「（(]+$/u, '');
  const last = bare.at(-1) ?? '';
  if (last === '〒' || isUnspaced(last)) return labelWithoutSpaces(bare);
  const sentence = before.replace(/^[^]*[.!?](?=\s+\p{Lu})/u, '');
  const words = wordsOf(sentence);
  const ofPhone = words.slice(-4).some(({ text: word }) => PHONES.has(word));
  if (ofPhone && /^(?:to|at|on|an|unter|au|al)$/.test(words.at(-1)?.text ?? '')) return 'a phone number';
  let index = words.length - 1;
  while (index > 0 && COPULAS.has(words[index]?.text ?? '')) index -= 1;
  const word = words[index]?.text ?? '';
  const isOther = (one: number) =>
    namesCode(words[one]) && words[one]?.text !== 'lautet' && !isCodeWord(sentence, words, one);
  if ([0, 1, 2].some((back) => isOther(index - back))) return NAMED_NUMBER;
  const code = lastCodeWord(sentence);
  if (code !== undefined && code.end >= (words[index]?.end ?? 0)) return undefined;
  const isNumber = isNumberWord(word);
  // Such a mark ends what a label names: "For order 7, 482913".
  if (/[,;!?)\]]\s*$|\d\W{0,3}$/.test(before) || (!isNumber && isOwnLine && /[.!?]\s+$/.test(before)))
    return undefined;
  // "Use this code to confirm your account: 482913" names no account.
  if (code !== undefined && !isNumber && /[:：]\s*$/.test(before)) return undefined;
  // A line before is a label only if it says no more.
  if (
    !isOwnLine &&
    !isNumber &&
    words.length > 1 + Number(/^(?:your|our|the|ihre?|deine?|votre|su|tu)$/.test(words[0]?.text ?? ''))
  )
    return undefined;
  if (POSTAL.has(word)) return 'part of an address';
  if (AMOUNTS.has(word)) return 'an amount';
  if (COUNTS.has(word)) return 'a quantity';
  if (PHONES.has(word)) return 'a phone number';
  return isNumber || NAMED.has(word) ? NAMED_NUMBER : undefined;
}

/** Whether a line after digits names what they count: "18420", and below it "visitors this week". */
export const namesCounted = (line: string): boolean =>
  wordsOf(line)
    .slice(0, 2)
    .some(({ text: word }) => COUNTS.has(word));

function labelWithoutSpaces(before: string): string | undefined {
  const ends = (phrases: readonly string[]) => phrases.some((phrase) => before.endsWith(phrase));
  if (OTHER_PHRASE.test(before)) return NAMED_NUMBER;
  if (ends(PHRASES)) return undefined;
  if (ends(POST_PHRASES)) return 'part of an address';
  if (ends(PHONE_PHRASES)) return 'a phone number';
  return ends(NAMED_PHRASES) ? NAMED_NUMBER : undefined;
}

const NAMED_NUMBER = 'the number of something else, such as an order, a customer or a register';
