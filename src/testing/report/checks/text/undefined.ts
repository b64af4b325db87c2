import { short, type Fault, type MailCheck } from '../../records/checked-mail.ts';

const VALUE =
  /\[object [A-Z][A-Za-z]{2,30}\]|\[(?:Async)?Function(?:: \w{1,40}| \(anonymous\))?\]|(?<![\p{L}\p{N}])Invalid (?:DateTime|[Dd]ate)(?![\p{L}\p{N}]| (?:format|range|of|entered|error))|(?<!(?!\p{Lo})[\p{L}\p{N}_.@/=&?-])(?:undefined|null|NaN)(?![\p{N}_@/=-]|(?!\p{Lo})\p{L}|\.\p{L})/gu;

const QUOTED = /["'`“‘«„]\s*$/;
/** Words that a name follows. */
const GREETED =
  /(?:^|[^\p{L}])(?:hi|hello|hey|dear|welcome(?: to)?|thanks|thank you|hallo|liebe[rs]?|willkommen(?: bei| in)?|bonjour|bienvenue(?: chez| sur)?|hola|bienvenid[oa](?: a)?|ciao|gentile|olá|beste|hej|cześć|frau|herrn?|mr\.?|mrs\.?|ms\.?),?\s*$/iu;
/** Words before and after a value that is a word there, as in "undefined behavior", "null and void" or "the value is undefined". */
const WORD_BEFORE =
  /(?:^|[^\p{L}])(?:is|it|are|was|were|be|been|an?|the|or|left|leaves?|remains?|returns?|returned|nor|not|becomes?|than|and|if|yields?|gives?|equals?|throws?|some|any|no|every|each|still|so|both|when|that|und|oder|ist|gleich|est|es|è|é)\s+$/iu;
const WORD_AFTER =
  /^\s+(?:and|or|but|behaviou?rs?|values?|pointers?|variables?|references?|errors?|means?|terms?|propert(?:y|ies)|in|is|are|as|if|when|functions?|methods?|symbols?|hypothes[ie]s|results?|islands?|checks?|objects?|types?|und|komma|euro|uhr|grad|prozent|fehler|cent|kosten)(?![\p{L}])/iu;
/** Null is a number or a word after these, as in "zwei zu null" and "set to null". */
const NULL_AFTER = /(?:^|[^\p{L}])(?:of|as|with|to|into|in|on|zu|gegen|bei|auf|von|ab)\s+$/iu;
/** Around a value that a sentence is about: "NaN is a number", "and [object Object] is what you see". */
const TOPIC_BEFORE = /(?:^|[.!?:;,]\s+|(?:and|or)\s+)$/iu;
const TOPIC_AFTER = /^\s+(?:is|are|means|stands|happens|equals|appears)(?:\s|$)/iu;
const ENDS = /^\s*(?:$|[.,;!?)%€$£])/;

/** A line of a few words that addresses its reader. */
const ADDRESSED_BEFORE = /^\s*(?:[^\s,.:;!?]{1,20}[\s,]{1,2}){1,3}$/u;
const ADDRESSED_AFTER = /^\s?[,!，！：]\s*$/u;
/** Titles that follow a name. */
const TITLED_AFTER = /^\s?(?:様|さま|さん|고객님|님|先生|女士)/u;
/** A label of a few words with its colon, at the beginning of a line or a sentence. */
const LABELLED = /(?:^|[.!?;|·]\s)[^.!?;|:：]{1,40}[:：]$/u;
/** The end of a line, or of an entry in it. */
const ENTRY_ENDS = /^(?:[.!)%]?$|[|·;]\s)/u;
/** Signs of money, and of a number. */
const MONEY_BEFORE = /(?:[#$€£¥₹₩]|(?<!\p{L})(?:USD|EUR|GBP|CHF|R\$))\s?$/u;
const MONEY_AFTER = /^\s?(?:[€£¥₹₩$%]|(?:USD|EUR|GBP|CHF|kr|zł|Kč|円|元|원)(?!\p{L}))/u;

/** The characters before and after a value that decide what it is. */
const BESIDE = 300;

/** Words before a text that is an error. */
const ABOUT_ERROR = /(?:errors?|fehler|erreur|reason|problem|message|failed|grund)\s?[:：–—-]?\s*$/iu;

type Level = Fault['level'];

/** Whether a value stands alone on its line, or where a name, a number or a date would, whatever the email is about. */
function isInPlace(value: string, before: string, after: string): boolean {
  const isAlone = before.trim() === '' && /^[.!]?$/.test(after.trim());
  const isAddressed =
    (GREETED.test(before) && (ENDS.test(after) || /^\s?[:：]\s*$/.test(after))) ||
    (ADDRESSED_AFTER.test(after) && (ADDRESSED_BEFORE.test(before) || /^[\p{Lo}，]{1,6}$/u.test(before))) ||
    (before.trim() === '' && TITLED_AFTER.test(after));
  const isPaid = MONEY_BEFORE.test(before) || (value !== 'null' && MONEY_AFTER.test(after));
  return (
    isAlone || isAddressed || isPaid || (LABELLED.test(before.trimEnd()) && ENTRY_ENDS.test(after.trim()))
  );
}

/** How sure it is that a value of a program stands there in place of a word; `undefined` if it is a word. */
function levelOf(value: string, before: string, after: string, isAboutPrograms: boolean): Level | undefined {
  if (QUOTED.test(before)) return undefined;
  // A sentence about an error may say this, too.
  if (value === 'Invalid date') return isAboutPrograms || ABOUT_ERROR.test(before) ? undefined : 'warn';
  if (isInPlace(value, before, after)) return 'error';
  if (isAboutPrograms || (TOPIC_BEFORE.test(before) && TOPIC_AFTER.test(after))) return undefined;
  if (/^(?:NaN|Invalid|\[)/.test(value) || GREETED.test(before)) return 'error';
  if (/(?:^|:)\s*$/.test(before) && ENDS.test(after)) return 'error';
  if (new RegExp(`(?:^|\\s)${value}\\s+$`).test(before)) return 'error';
  if (WORD_BEFORE.test(before) || WORD_AFTER.test(after)) return undefined;
  if (value !== 'null') return 'error';
  // In some languages null is a number. A sentence that begins with it has a capital letter.
  if (before.trim() === '' && /^\s+(?:has |have |hat |ha |a )?\p{Ll}{3}/u.test(after)) return 'error';
  return NULL_AFTER.test(before) ? undefined : 'warn';
}

/** A name that is a value, or has one set apart in it: `undefined`, `invoice-undefined.pdf`. */
const IN_NAME =
  /(?<![\p{L}\p{N}])(?:undefined|null|NaN|Invalid (?:DateTime|[Dd]ate)|\[object \w{3,30}\])(?![\p{L}\p{N}])/u;
const IS_NULL_ISLAND = /\bnull[ _-](?:island|and)\b/i;

/** A greeting whose name is empty: "Hello ,". */
const EMPTY_NAME =
  /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|bonjour|cher|chère|hola|querid[oa]|ciao|gentile|caro|cara|olá|beste|cześć|hej|merhaba) ,/iu;

/** A value of a program, such as `undefined`, in the text, the preview, the subject, a name or a link. */
export const undefinedValues: MailCheck = ({ texts, names, anchors, addresses, isAboutPrograms }) => {
  const faults = new Map<string, Fault>();
  const add = (level: Level, message: string, group = message) =>
    faults.set(message, { level, message, group });
  const lines = texts.flatMap(({ text, where }) => text.split(/[\n\t\r]+/).map((line) => ({ line, where })));
  for (const { line, where } of lines) {
    const [empty] = EMPTY_NAME.exec(line) ?? [];
    if (empty !== undefined) add('warn', `A greeting without a name in ${where}: "${empty.trim()}"`);
    for (const { 0: value, index } of line.matchAll(VALUE)) {
      const end = index + value.length;
      const before = line.slice(Math.max(0, index - BESIDE), index);
      const after = line.slice(end, end + BESIDE);
      const level = levelOf(value, before, after, isAboutPrograms);
      if (level !== undefined) add(level, `"${excerpt(before, value, after)}" in ${where}`);
    }
  }
  for (const { text, where } of names)
    if (IN_NAME.test(text) && !IS_NULL_ISLAND.test(text)) add('error', `"${short(text, 60)}" is ${where}`);
  for (const href of [...anchors.map((one) => one.href), ...addresses.map(({ url }) => url)]) {
    for (const [, name = ''] of href.matchAll(EMPTY_PARAMETER))
      if (SECRET.test(name)) add('warn', `\`${name}=\` is empty in a link`);
    const value = valueIn(href);
    if (value === undefined) continue;
    const path = href.replace(/^[a-z]+:\/\/[^/]*/i, '');
    const shown = short((path === '' ? href : path).replace(/=[^&]{20,}/g, '=…'), 60);
    add('error', `"${shown}" in a link`, `a link ${value}`);
  }
  return [...faults.values()];
};

/** A value of a program in the address of a link or an image. */
export const valueIn = (address: string): string | undefined =>
  (IN_LINK.exec(address) ?? IN_SCHEME.exec(address))?.[1];

/** A value in `mailto:` or `tel:`, as the whole address or a part of it. */
const IN_SCHEME = /^(?:mailto|tel|sms):(?:[^?]*[@,;.])?(undefined|null|NaN)(?=$|[?&@,;.])/i;
const IN_LINK =
  /[/=](undefined|null|NaN|Invalid(?:%20|\+| )(?:DateTime|[Dd]ate)|\[object(?:%20|\+| )Object\]|%5Bobject(?:%20|\+)Object%5D)(?=[/?&#]|$)/;

/** The parameters of an address that are empty. */
const EMPTY_PARAMETER = /[?&;#]([^=?&;#]{1,60})=(?=[&;#]|$)/g;
/** Names of secrets; `code` and `key` are such alone, or after a word for signing in. */
const SECRET =
  /(?:token|secret|otp|signature|nonce|jwt|passw(?:or)?d|ticket|(?:^|token|oob|otp|sms|pass|security|unlock|confirm(?:ation)?|verif(?:y|ication)|activat(?:e|ion)|auth(?:entication|orization)?|reset|invit(?:e|ation)?|login|access|magic|api)[_-]?(?:code|key|hash))$|^(?:t|pin|sig|auth)$/i;

/** A few words around a value. */
function excerpt(before: string, value: string, after: string): string {
  const words = before.trimStart().split(/\s+/).slice(-3).join(' ');
  const [next = ''] = /^[^\s\p{L}\p{N}]*(?:\s+\S+){0,2}/u.exec(after) ?? [];
  const gap = /\s$/.test(before) && words !== '' && !words.endsWith(' ') ? ' ' : '';
  return short(`${words.slice(-40)}${gap}${value}${next.slice(0, 30)}`.trim(), 80).replace(/\s+/g, ' ');
}
