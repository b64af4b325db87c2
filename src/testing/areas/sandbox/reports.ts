import type { MailContent } from '../sending/mail.ts';

/** The text by which a message asks a spam filter to take it for spam. */
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

/** What a spam filter makes of a message. As recorded, the points of a rule are a text. */
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

/** How well a message's HTML is supported. What a report of a problem looks like is not known, so there are none. */
export const htmlAnalysis = ({ html }: MailContent) =>
  html === null ? { status: 'error', msg: 'The message has no HTML' } : { status: 'success', errors: [] };
