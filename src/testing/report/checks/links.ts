import { hasReaderLink, PLACEHOLDERS } from '../../service/state/emails/reader-links.ts';
import {
  short,
  type CheckContext,
  type CheckedMail,
  type Fault,
  type MailCheck,
} from '../records/checked-mail.ts';

/** The placeholders that links of the recipient replace. A test inbox shows mails before that. */
const placeholders = Object.values(PLACEHOLDERS);

/** A link that is empty, relative, of this machine only, or without encryption. */
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
  fault('error', `${name} leads to "${short(href)}", which is no whole address`, `${name} relative`);

/** A link within the mail, such as that of a table of contents. */
const isAnchor = (id: string, { elements }: CheckedMail) =>
  elements.some(({ attributes }) => attributes.get('id') === id || attributes.get('name') === id);

function ofAddress(address: string, name: string, { site, countUnderSite }: CheckContext): Fault[] {
  const url = new URL(address);
  // The emulator's own: with the service, such a link leads to the service.
  if (hasReaderLink(address)) return [];
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [];
  if (site !== undefined && isUnder(url, new URL(site))) {
    countUnderSite();
    return [];
  }
  const shown = short(url.origin + url.pathname);
  if (isLocal(url.hostname))
    return [
      fault('error', `${name} leads to ${shown}, which only this machine has`, `${name} ${url.origin}`),
    ];
  if (url.protocol === 'http:')
    return [fault('warn', `${name} leads to ${shown}, without encryption`, `${name} ${url.origin}`)];
  return [];
}

const isUnder = (url: URL, site: URL) =>
  url.origin === site.origin && url.pathname.startsWith(site.pathname.replace(/\/$/, ''));

const isLocal = (host: string) =>
  /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$|\.(?:localhost|local)$/i.test(host);

const fault = (level: Fault['level'], message: string, group = message): Fault => ({ level, message, group });
