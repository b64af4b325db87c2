import type { MailContent } from '../../state/emails/mail.ts';

/** The standard test text that spam filters report as spam. */
const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

const THRESHOLD = 5;

interface SpamRule {
  readonly name: string;
  readonly points: number;
  readonly description: string;
  readonly holds: (mail: MailContent) => boolean;
}

/** A few rules that a test can provoke. */
const RULES: readonly SpamRule[] = [
  {
    name: 'GTUBE',
    points: 1000,
    description: 'BODY: Generic Test for Unsolicited Bulk Email',
    holds: ({ text, html }) => [text, html].some((body) => body?.includes(GTUBE)),
  },
  {
    name: 'MIME_HTML_ONLY',
    points: 0.7,
    description: 'BODY: Message only has text/html MIME parts',
    holds: ({ text, html }) => text === null && html !== null,
  },
  {
    name: 'SUBJ_ALL_CAPS',
    points: 0.5,
    description: 'Subject is all capitals',
    holds: ({ subject }) => /[A-Z]{2}/.test(subject) && subject === subject.toUpperCase(),
  },
];

/** The spam report of a message. As recorded, the points of a rule are a text. */
export function spamReport(mail: MailContent) {
  const found = RULES.filter(({ holds }) => holds(mail));
  const score = found.reduce((sum, { points }) => sum + points, 0);
  const isSpam = score >= THRESHOLD;
  return {
    ResponseCode: 2,
    ResponseMessage: isSpam ? 'Spam' : 'Not spam',
    ResponseVersion: '1.2',
    Score: Number(score.toFixed(1)),
    Spam: isSpam,
    Threshold: THRESHOLD,
    Details: found.map(({ name, points, description }) => ({
      Pts: points.toFixed(1),
      RuleName: name,
      Description: description,
    })),
  };
}

/** HTML features that some email programs do not support: a few that a test can provoke. */
const UNSUPPORTED = [
  { rule: 'style', pattern: /<style[\s>]/i, desktop: ['Notes 8'], mobile: ['Gmail'], web: [] },
  { rule: 'form', pattern: /<form[\s>]/i, desktop: ['Outlook 2019'], mobile: [], web: ['Outlook.com'] },
  {
    rule: 'video',
    pattern: /<video[\s>]/i,
    desktop: ['Outlook 2019'],
    mobile: ['Gmail'],
    web: ['Gmail', 'Yahoo'],
  },
];

/** The analysis of a message's HTML, line by line. */
export function htmlAnalysis({ html }: MailContent) {
  if (html === null) return { status: 'error', msg: 'The message has no HTML' };
  const errors = html.split('\n').flatMap((line, index) =>
    UNSUPPORTED.filter(({ pattern }) => pattern.test(line)).map(({ rule, desktop, mobile, web }) => ({
      error_line: index + 1,
      rule_name: rule,
      email_clients: { desktop, mobile, web },
    })),
  );
  return { status: 'success', errors };
}
