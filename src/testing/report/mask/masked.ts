/** Hides addresses and secrets in the data of a report. May import `report/data` and `service/state/emails`. */
import type { ReportData, ReportMail } from '../data/data.ts';
import { encoded, messageOf } from '../../service/state/emails/eml.ts';
import { decodedWords } from '../../reading/message/raw-mail.ts';
import { inAll } from './hide.ts';
import { Mask } from './mask.ts';
import { withWords } from './packed.ts';
import { personsIn } from './persons.ts';

/**
 * The same data without the addresses of persons, and without attachments, which might name them. Pictures that the HTML
 * shows stay.
 */
export function masked(data: ReportData): ReportData {
  const mask = new Mask(personsIn(data));
  const { mails, ...others } = data;
  const text = (given: string) => mask.text(given);
  return {
    ...inAll(others, (given) => mask.body(given)),
    mails: mails.map((mail) => maskedMail(mail, text)),
    addresses: 'masked',
  };
}

/** Masks a mail, and writes its source again: an address cannot be found in every encoding that a source may have. */
function maskedMail(
  { source, attachments, headers, ...mail }: ReportMail,
  mask: (text: string) => string,
): ReportMail {
  const files = attachments.map(({ content, ...file }) => ({
    ...inAll(file, mask),
    content: content !== null && isShownPicture(file, content, mask) ? content : null,
  }));
  const shown = {
    ...inAll(mail, mask),
    headers: headers.map(([name, value]): [string, string] => [mask(name), maskedHeader(value, mask)]),
    attachments: files,
  };
  return { ...shown, source: source === null ? null : sourceOf(shown) };
}

/** The first characters of PNG, JPEG, GIF and WebP in base64. */
const PICTURE = /^(?:iVBORw0KGg|\/9j\/|R0lGOD|UklGR)/;

/** Whether a file is a picture for the HTML, with no address in its bytes. */
function isShownPicture(
  { type, contentId }: Pick<ReportMail['attachments'][number], 'type' | 'contentId'>,
  content: string,
  mask: (text: string) => string,
): boolean {
  if (contentId === null || !/^image\/(?:png|jpeg|gif|webp)$/.test(type) || !PICTURE.test(content))
    return false;
  const bytes = atob(content.replace(/[^\w+/]/g, ''));
  return mask(bytes) === bytes;
}

/** A header's value, whose encoded words are written again. */
const maskedHeader = (value: string, mask: (text: string) => string) =>
  mask(withWords(value, (words) => encoded(mask(decodedWords(words)))));

/** The headers that describe the bodies of a message. */
const OF_BODIES = /^(?:content-|mime-version$)/i;

function sourceOf({ id, html, text, headers, attachments }: Omit<ReportMail, 'source'>): string {
  const files = attachments.map(({ inline, ...file }) => ({
    ...file,
    disposition: inline ? ('inline' as const) : ('attachment' as const),
  }));
  const kept = headers.filter(([name]) => !OF_BODIES.test(name));
  return messageOf([...kept, ['MIME-Version', '1.0']], { html, text, attachments: files }, id);
}
