import { short, type Fault, type MailCheck } from '../records/checked-mail.ts';

const VALUE =
  /\[object Object\]|(?<![\p{L}\p{N}_.@/=&?-])(?:undefined|null|NaN)(?![\p{L}\p{N}_@/=-]|\.\p{L})/gu;

const QUOTED = /["'`“‘«„]\s*$/;
const GREETED =
  /(?:^|[^\p{L}])(?:hi|hello|hey|dear|welcome|thanks|hallo|liebe[rs]?|bonjour|hola|ciao|mr\.?|mrs\.?|ms\.?),?\s*$/iu;
/** Words before and after, as in "undefined behavior", "null and void" or "the value is undefined". */
const WORD_BEFORE =
  /(?:^|[^\p{L}])(?:is|it|are|was|were|be|been|an?|the|or|of|as|with|left|leaves?|remains?|returns?|returned|nor|not|becomes?|to|than|and|if|into|yields?|gives?|equals?|in|on|throws?|some|any|no|every|each|still|so|both|when|that|bei|auf|von|und|ist|gleich|est|es|è)\s+$/iu;
const WORD_AFTER =
  /^\s+(?:and|or|behaviou?rs?|values?|pointers?|variables?|references?|errors?|means?|terms?|propert(?:y|ies)|in|is|are|as|if|when|functions?|methods?|symbols?|hypothes[ie]s|results?|islands?|checks?|objects?|types?|und|komma|euro|uhr|grad|prozent|fehler|cent|kosten)(?![\p{L}])/iu;
const ENDS = /^\s*(?:$|[.,;!?)%€$£])/;

type Level = Fault['level'];

/** How sure it is that a value of a program stands there in place of a word; `undefined` if it is a word. */
function levelOf(value: string, before: string, after: string): Level | undefined {
  if (value === '[object Object]') return QUOTED.test(before) ? undefined : 'error';
  if (QUOTED.test(before)) return undefined;
  if (value === 'NaN') return 'error';
  if (before.trim() === '' && ENDS.test(after)) return 'error';
  if (GREETED.test(before)) return 'error';
  if (/[#$€£]\s?$/.test(before)) return 'error';
  if (/:\s*$/.test(before) && ENDS.test(after)) return 'error';
  if (new RegExp(`(?:^|\\s)${value}\\s+$`).test(before)) return 'error';
  if (WORD_BEFORE.test(before) || WORD_AFTER.test(after)) return undefined;
  // In some languages null is a number.
  return value === 'null' ? 'warn' : 'error';
}

/** A value of a program, such as `undefined`, in the text, in the subject or in a link. */
export const undefinedValues: MailCheck = ({ mail, htmlText, plainText, anchors }) => {
  const faults = new Map<string, Fault>();
  const look = (text: string, where: string) => {
    for (const segment of text.split(/[\n\t\r]+/)) {
      for (const match of segment.matchAll(VALUE)) {
        const [value] = match;
        const before = segment.slice(0, match.index);
        const after = segment.slice(match.index + value.length);
        const level = levelOf(value, before, after);
        if (level === undefined) continue;
        const message = `"${excerpt(before, value, after)}" in ${where}`;
        faults.set(message, { level, message });
      }
    }
  };
  look(mail.subject, 'the subject');
  look(htmlText, 'the text');
  look(plainText, 'the text');
  for (const { href } of anchors) {
    const [, value] = IN_LINK.exec(href) ?? [];
    if (value === undefined) continue;
    const level = value === 'null' ? 'warn' : 'error';
    const path = href.replace(/^[a-z]+:\/\/[^/]*/i, '');
    const message = `"${short(path.replace(/=[^&]{20,}/g, '=…'), 60)}" in a link`;
    faults.set(message, { level, message, group: `link ${value}` });
  }
  return [...faults.values()];
};

const IN_LINK =
  /[/=](undefined|null|NaN|\[object(?:%20|\+| )Object\]|%5Bobject(?:%20|\+)Object%5D)(?=[/?&#]|$)/;

/** A few words around a value. */
function excerpt(before: string, value: string, after: string): string {
  const words = before.trimStart().split(/\s+/).slice(-3).join(' ');
  const [next = ''] = /^[^\s\p{L}\p{N}]*(?:\s+\S+){0,2}/u.exec(after) ?? [];
  const gap = /\s$/.test(before) && words !== '' && !words.endsWith(' ') ? ' ' : '';
  return short(`${words.slice(-40)}${gap}${value}${next.slice(0, 30)}`.trim(), 80).replace(/\s+/g, ' ');
}
