import { decoded } from '../../../encoding/decoded.ts';
import { hasReaderLink, PLACEHOLDERS } from '../../../service/state/emails/reader-links.ts';
import {
  short,
  type CheckContext,
  type CheckedMail,
  type Fault,
  type MailCheck,
} from '../../records/checked-mail.ts';
import { hostOf } from '../../records/hosts.ts';

/** The placeholders that links of the recipient replace. A test inbox shows mails before that. */
const placeholders = Object.values(PLACEHOLDERS);

/** A link that is empty, relative, of this machine or network only, or without encryption. */
export const links: MailCheck = (checked, context) => {
  const { anchors, addresses } = checked;
  const ofHtml = anchors.flatMap(({ href, text }) => faultOf(href.trim(), nameOf(text), checked, context));
  const ofText = addresses
    .filter(({ text }) => /^https?:/i.test(text))
    .flatMap(({ url }) => ofAddress(url, 'A link in the text', context));
  return [...ofHtml, ...ofText];
};

const nameOf = (text: string) => (text === '' ? 'A link without text' : `The link "${short(text, 40)}"`);

function faultOf(href: string, name: string, checked: CheckedMail, context: CheckContext): Fault[] {
  if (href === '' || href === '#') return [fault('error', `${name} has no address`)];
  if (href.startsWith('#')) return isAnchor(href.slice(1), checked) ? [] : [nowhere(name, href)];
  if (/^javascript:/i.test(href)) return [fault('error', `${name} leads to a script`)];
  if (checked.mail.stream === 'sandbox' && placeholders.some((one) => href.includes(one))) return [];
  let url: string;
  try {
    url = new URL(href, checked.base).href;
  } catch {
    return [nowhere(name, href)];
  }
  return ofAddress(url, name, context);
}

const nowhere = (name: string, href: string) =>
  fault(
    'error',
    `${name} leads to "${short(href)}", which is ${/^[\w+.-]+:/.test(href) ? 'no web address' : 'a relative URL'}`,
    `${name} relative`,
  );

/** A link within the mail, such as that of a table of contents. `#top` leads to its beginning. */
const isAnchor = (fragment: string, { elements }: CheckedMail) =>
  decoded(fragment).toLowerCase() === 'top' ||
  elements.some(({ attributes }) =>
    [attributes.get('id'), attributes.get('name')].some((id) => id === fragment || id === decoded(fragment)),
  );

function ofAddress(address: string, name: string, { isUnderSite, countUnderSite }: CheckContext): Fault[] {
  const url = new URL(address);
  // The emulator's own: with the service, such a link leads to the service.
  if (hasReaderLink(address)) return [];
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [];
  if (isUnderSite(url)) {
    countUnderSite();
    return [];
  }
  const shown = short(url.origin + url.pathname);
  const host = hostOf(url.hostname);
  if (host !== undefined) {
    const where = host === 'machine' ? 'only this machine has' : 'only the own network has';
    return [fault('error', `${name} leads to ${shown}, which ${where}`, `${name} ${url.origin}`)];
  }
  if (url.protocol === 'http:')
    return [fault('warn', `${name} leads to ${shown}, without encryption`, `${name} ${url.origin}`)];
  return [];
}

const fault = (level: Fault['level'], message: string, group = message): Fault => ({ level, message, group });
