/** Excludes digits that are not a code: part of a date, an amount, a phone number, an address, or a longer word. */
import { labelOf, namesCounted, type Digits } from './code-words.ts';
import { UNSPACED } from './unspaced.ts';

/** The longest context of digits that is examined, in characters. */
const REACH = 64;

const EDGE_BEFORE = new RegExp(`[\\s${UNSPACED}，。、：；！？】」』］）〉》]`, 'u');

/** Text that may directly precede a code: brackets, quotation marks, and a word with a colon. */
const BEFORE = new RegExp(`^(?:[\\p{L}\\p{M}'’-]+[:：=])?[\\p{Ps}\\p{Pi}"'*_<>|•·→–—~\`:：=]*$`, 'u');
/** Text that may directly follow a code. */
const AFTER = new RegExp(
  `^(?:[\\p{Pe}\\p{Pf}"'*_<>|.,;:!?。，、：；！？…–—~\`]*$|[\\p{Pe}\\p{Pf}"'*_]*[${UNSPACED}，。、：；！？「『（【〈《［]|[(（][${UNSPACED}\\d])`,
  'u',
);

const HOST = /^(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)+)$/i;

const CURRENCIES =
  'AED|ARS|AUD|BGN|BRL|CAD|CHF|CLP|CNY|COP|CZK|DKK|EGP|EUR|GBP|HKD|HUF|IDR|ILS|INR|ISK|JPY|KES|KRW|MAD|MXN|MYR|NGN|NOK|NZD|PEN|PHP|PKR|PLN|RON|RSD|RUB|SAR|SEK|SGD|THB|TRY|TWD|UAH|USD|VND|ZAR';
const MONEY_BEFORE = new RegExp(
  `(?:\\p{Sc}|(?<![\\p{L}\\p{N}])(?:${CURRENCIES}|Rs\\.?|kr\\.?|Fr\\.))\\s?$`,
  'u',
);
const MONEY_AFTER = new RegExp(
  `^\\s?(?:[\\p{Sc}%‰]|(?:${CURRENCIES}|kr|zł|Kč|Ft|lei|руб|円|元|원|percent|euros?|dollars?|pounds?|cents?)(?![\\p{L}\\p{N}]))`,
  'u',
);
const UNIT_AFTER =
  /^(?:[人名個件冊枚点回台歳秒]|ポイント|[个個位本件张張次篇]|[권명개건회점분장대]|마리|시간)|^\s?(?:ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|points?|credits?|miles?|km|m|kg|g|kcal|lbs?|KB|MB|GB|TB|kB|px|times|users?|people|items?)(?![\p{L}\p{N}])/u;

/** A room after its number, also on the next line. */
const ROOM_AFTER = /^\s{0,8}(?:号室|号棟|號房|号房|호실)/u;

const PHONE_BEFORE =
  /(?:^|[^\p{L}])(?:tel|tél|тел|tel\. no|telephone|telefon|phone|fax|mobile|mobil|cell|hotline|call(?: us)?(?: at| on)?|whatsapp)[.:]{0,2}\s?$/iu;

const STREETS =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Parkway|Pkwy|Square|Sq|Court|Ct|Place|Pl|Terrace|Highway|Hwy|Broadway|Circle|Cir|Row|Close|Crescent|Quay|Wharf|Plaza|Mews';
/** A house number before its street. */
const STREET_AFTER = new RegExp(
  `^,? (?:(?:[\\p{Lu}\\d][\\p{L}\\d.'’-]{0,30} ){0,4}(?:${STREETS})|(?:rue|avenue|boulevard|place|chemin|quai|route) )(?![\\p{L}\\p{N}])`,
  'u',
);
/** Text before a house number, the number of a box, or a postal code. */
const STREET_BEFORE =
  /(?:stra(?:ß|ss)e|str\.|platz|weg|allee|gasse|damm|ufer|straat|gatan|vägen|(?<!\p{L})(?:P\.? ?O\.? ?Box|Postfach|Postbus|Boîte postale|BP|Suite|Ste\.?|Apt\.?|Unit|Floor|ZIP(?: code)?:?|PLZ:?|Postal code:?|Postcode:?|C\.P\.|CP|CEP:?|CAP)) ?$/iu;
/** A street that is named before its house number: "Calle Mayor 1234". */
const STREET_NAMED_BEFORE =
  /(?:^|[\s,·|])(?:Calle|C\/|Avenida|Av\.|Avda\.|Rua|R\.|Via|Viale|Piazza|Plaza|Paseo|Carrera|ul\.|ulica|al\.) (?:[\p{L}.'’-]{1,20} ){0,3}[\p{L}.'’-]{1,20},? (?:n[º°.]? ?)?$/u;

const STATES =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|District of Columbia|D\\.C\\.|New South Wales|Victoria|Queensland|South Australia|Western Australia|Tasmania|NSW|VIC|QLD|TAS|ACT|Maharashtra|Karnataka|Tamil Nadu|Delhi|Telangana|Gujarat|CDMX';
/** Chinese, Japanese and Korean addresses, from the large to the small. */
const UNSPACED_ADDRESS =
  /(?:[都道府県縣市区區町郡村省路街巷弄].{1,24}[市区區町郡村路街巷弄号號原丁][^。]{0,12}|(?:[가-힣]{1,10}(?:시|도|군|구|동|읍|면|로|길)[ ,]{1,2}){2}[^.]{0,12})$/u;

/** The state before a postal code: "CA 94103", "CA, 94103", "Oregon 97301", or on the line before it. */
const STATE_BEFORE = new RegExp(
  `(?:, ?[A-Z]{2}|(?:^|[\\s,])(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|${STATES}))[,.]?\\s*$`,
  'u',
);
/** A town after its postal code, to the end of a line or a mark. */
const TOWN_AFTER =
  /^,? \p{Lu}[\p{L}.'’-]+(?:[ -](?:\p{Lu}|d[aeiou]{1,2}s? |am |an der |im )[\p{L}.'’-]*){0,3} ?\d{0,2} ?(?:CEDEX ?\d{0,2} ?)?(?=$|[,·|•∙;(/–—.])/u;
const TOWN_BEFORE = /(?:^|[,·|•∙;/–—-] ?)(?:[A-Z]{1,3}[- ])?$/;
/** A town before its postal code, with the country after it: "Singapore 018956", "Mumbai 400001, India". */
const TOWN_NAMED_BEFORE = /(?:^|[,·|•∙;/] ?)\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2},?(?: -)? $/u;
const COUNTRIES =
  'USA|U\\.S\\.A?\\.|United States|United Kingdom|UK|Germany|Deutschland|Austria|Österreich|Switzerland|Schweiz|Suisse|France|Spain|España|Italy|Italia|Portugal|Brazil|Brasil|Mexico|México|Netherlands|Nederland|The Netherlands|Belgium|Belgique|België|Poland|Polska|Sweden|Sverige|Norway|Norge|Denmark|Danmark|Finland|Suomi|Ireland|Canada|Australia|New Zealand|India|Singapore|Japan|China|Korea|South Korea|Türkiye|Turkey|Israel|South Africa|日本|中国|대한민국';
const COUNTRY_AFTER = new RegExp(`^[,.]?\\s*(?:${COUNTRIES})(?![\\p{L}\\p{N}])`, 'u');
/** Digits on a line of their own after a street: "1 Main Street". */
const STREET_LINE = new RegExp(
  `(?:^|\\n)[^\\n]{0,40}(?:\\d[\\p{L}]? (?:[\\p{L}.'’-]{1,30} ){0,3}(?:${STREETS})|(?:stra(?:ß|ss)e|str\\.) \\d{1,4})[^\\n]{0,40}(?:\\n[^\\n]{0,60})?$`,
  'iu',
);

/** Whether two groups of digits are one number: `030/1234`, `12:30`, `1.234,50`, `(030) 1234`, `2026-11-24`. */
function areJoined(text: string, before: Digits | undefined, after: Digits | undefined): boolean {
  if (before === undefined || after === undefined || after.start - before.end > 3) return false;
  const between = text.slice(before.end, after.start);
  if (/^\)[ -]?$/.test(between)) return true;
  if (/^[ -]?\($/.test(between)) return text[after.end] === ')';
  return /^[ .,:/'’‐-―-]$/.test(between);
}

/** The text between the last white space and the digits; `undefined` if it is longer than {@link REACH}. */
function headOf(text: string, { start }: Digits): string | undefined {
  let from = start;
  while (from > 0 && !EDGE_BEFORE.test(text[from - 1] ?? '')) {
    from -= 1;
    if (start - from > REACH) return undefined;
  }
  return text.slice(from, start);
}

/** The text between the digits and the next white space; `undefined` if it is longer than {@link REACH}. */
function tailOf(text: string, { end }: Digits): string | undefined {
  const found = /^\S*/.exec(text.slice(end, end + REACH + 1))?.[0] ?? '';
  return found.length > REACH ? undefined : found;
}

/** The reason why digits are not a code; `undefined` if they may be one. `isNamed`: a word for a code stands directly before. */
export function reasonFor(
  text: string,
  digits: Digits,
  previous: Digits | undefined,
  next: Digits | undefined,
  isNamed = false,
): string | undefined {
  const { start, end } = digits;
  const value = text.slice(start, end);
  const head = headOf(text, digits);
  const tail = tailOf(text, digits);
  if (head === undefined || tail === undefined) return 'part of a longer word';
  const before = text.slice(Math.max(0, start - REACH), start).replace(/^[^]*[\n\t]/, '');
  const after = text.slice(end, end + REACH).replace(/[\n\t][^]*$/, '');
  if (areJoined(text, previous, digits) || areJoined(text, digits, next))
    return 'part of a number, a date or a phone number in groups';
  if (MONEY_BEFORE.test(before) || MONEY_AFTER.test(after)) return 'an amount';
  if (UNIT_AFTER.test(after)) return 'a quantity';
  if (ROOM_AFTER.test(text.slice(end, end + REACH))) return 'the number of a room';
  if (!BEFORE.test(head) || !AFTER.test(tail) || HOST.test(head.slice(0, -1)))
    return `part of ${JSON.stringify(head + value + tail)}`;
  if (PHONE_BEFORE.test(before)) return 'a phone number';
  if (isNamed) return undefined;
  if (/= ?["']?$/.test(before)) return 'the value of a setting';
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(value)) return 'a date';
  if (isInAddress(text, digits, before, after)) return 'part of an address';
  if (/^(?:1[5-9]|20)\d\d$/.test(value)) return 'a year';
  if (PLURAL_AFTER.test(after) || isCountedBelow(text, end)) return 'a quantity';
  return labelOf(text, start);
}

/** A noun in the plural: "4821 subscribers", and no verb: "482913 expires in 10 minutes". */
const PLURAL_AFTER =
  /^ (?:(?:new|more|other|active|open|unread|total) )?(?!(?:is|was|has|does|expires|works|confirms|verifies|unlocks|signs|lets|gets|gives|logs|completes|activates|lasts|remains|stays|ends|this|as|it's|always|thanks|besides)\b)[a-z]{2,}s\b/;

/** Whether the line below digits is a unit or a noun in the plural with at most two words more. */
function isCountedBelow(text: string, end: number): boolean {
  const line = /^\n([\p{L}\p{M} -]{1,40})(?=\n|$)/u.exec(text.slice(end, end + REACH))?.[1];
  if (line === undefined || line.split(' ').length > 3) return false;
  return namesCounted(line) || PLURAL_AFTER.test(` ${line}`) || UNIT_AFTER.test(line);
}

/** The most characters of earlier lines that are read for an address. */
const LINES = 160;

function isInAddress(text: string, { start, end }: Digits, before: string, after: string): boolean {
  const length = end - start;
  if (UNSPACED_ADDRESS.test(before)) return true;
  if (STREET_AFTER.test(after) || STREET_BEFORE.test(before) || STREET_NAMED_BEFORE.test(before)) return true;
  if (length > 6) return false;
  const earlier = text.slice(Math.max(0, start - LINES), start);
  const later = text.slice(end, end + REACH);
  if (STATE_BEFORE.test(earlier)) return true;
  if (COUNTRY_AFTER.test(later) && !/^\s*$/.test(earlier)) return true;
  if (length < 6 && TOWN_BEFORE.test(before) && TOWN_AFTER.test(after)) return true;
  if (TOWN_NAMED_BEFORE.test(before) && /^(?:$|[,.·|•∙])/.test(after) && /,|·|\|/.test(before)) return true;
  return length < 6 && /\n\s*$/.test(earlier) && STREET_LINE.test(earlier.trimEnd());
}
