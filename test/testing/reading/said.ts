import { readContent, type MailContent } from '../../../src/testing/reading/content/content.ts';
import { codeOf, matchOf, urlOf, type LinkChoice } from '../../../src/testing/reading/message/pick.ts';

/** The content of an HTML or text body, with the methods of an email. */
export function said(bodies: { html?: string; text?: string; subject?: string }) {
  const content: MailContent = readContent({
    html: bodies.html ?? null,
    text: bodies.text ?? null,
    subject: bodies.subject ?? '',
  });
  return {
    content,
    links: content.links,
    text: content.text,
    link: (choice: LinkChoice) => urlOf(content, choice, 'It'),
    code: (pattern?: RegExp) =>
      pattern === undefined ? codeOf(content, 'It') : matchOf(content, pattern, 'It'),
    codes: content.codes.codes.map(({ value }) => value),
    reasons: Object.fromEntries(content.codes.others.map(({ value, reason }) => [value, reason])),
  };
}
