import type { MailContent } from './mail.ts';

type Changed = Pick<MailContent, 'text' | 'html' | 'headers'>;

/**
 * An email as one recipient on the bulk stream gets it: a link of their own takes the place of `__unsubscribe_url__`, and
 * is in the two headers by which mail programs unsubscribe with one click. An email without the placeholder gets no
 * footer, whose text is not published.
 */
export function withUnsubscribeLink<Content extends Changed>(mail: Content, id: string): Content {
  const link = `https://unsubscribe.emulator.test/${id}`;
  const linked = (text: string | null) => text?.replaceAll('__unsubscribe_url__', link) ?? null;
  const hasOwn = Object.keys(mail.headers).some((name) => name.toLowerCase() === 'list-unsubscribe');
  return {
    ...mail,
    text: linked(mail.text),
    html: linked(mail.html),
    headers: hasOwn
      ? mail.headers
      : {
          ...mail.headers,
          'List-Unsubscribe': `<${link}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
  };
}
