import { decoded } from '../../../encoding/decoded.ts';
import { short, type CheckedMail, type Fault, type MailCheck } from '../../records/checked-mail.ts';
import { hostOf } from '../../records/hosts.ts';
import { valueIn } from '../text/undefined.ts';
import { isPlaceholder } from '../text/left-over.ts';

/** Images that no reader sees, or that many mail programs do not show. */
export const images: MailCheck = (checked, { isUnderSite }) => {
  const { elements, images: addresses } = checked;
  const faults = [
    ...(elements.some(({ tag }) => tag === 'svg') ? [ofSvg('an <svg> element')] : []),
    ...addresses.flatMap(({ url, by }) =>
      ofAddress(url, by === 'img' ? 'An image' : `An image in ${NAMES[by]}`, checked, isUnderSite),
    ),
    ...unusedParts(checked),
  ];
  return [...new Map(faults.map((fault) => [fault.group, fault])).values()];
};

const NAMES = { srcset: '`srcset`', background: '`background`', style: 'a style' } as const;

function ofAddress(
  given: string,
  name: string,
  { base, mail }: CheckedMail,
  isUnderSite: (url: URL) => boolean,
): Fault[] {
  if (isPlaceholder(given)) return [];
  if (given === '') return [{ level: 'error', message: `${name} has no address`, group: `${name} empty` }];
  if (/^data:/i.test(given)) {
    const type = /^data:([\w/+.-]*)/i.exec(given)?.[1] ?? '';
    const message = `An image in a data: address, which many mail programs do not show: ${type || 'no type'}`;
    return [{ level: 'warn', message, group: 'data' }];
  }
  const value = valueIn(given);
  if (value !== undefined)
    return [{ level: 'error', message: `${name} is at "${short(given, 60)}"`, group: `${name} ${value}` }];
  if (/^cid:/i.test(given)) return ofPart(given.slice(4), name, mail);
  let url: URL;
  try {
    url = new URL(given, base);
  } catch {
    return [nowhere(name, given)];
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [nowhere(name, given)];
  if (isUnderSite(url)) return [];
  const shown = short(url.origin + url.pathname, 60);
  const host = hostOf(url.hostname);
  const fault = (level: Fault['level'], what: string): Fault => ({
    level,
    message: `${name} is at ${shown}, ${what}`,
    group: `${level} ${url.origin}`,
  });
  if (host === 'machine') return [fault('error', 'which only this machine has')];
  if (host === 'network') return [fault('warn', 'which only the own network has')];
  if (url.protocol === 'http:') return [fault('warn', 'without encryption')];
  return /\.svgz?$/i.test(url.pathname) ? [ofSvg(shown)] : [];
}

const nowhere = (name: string, given: string): Fault => ({
  level: 'error',
  message: `${name} is at "${short(given, 60)}", which is ${/^[\w+.-]+:/.test(given.trim()) ? 'no web address' : 'a relative URL'}`,
  group: `${name} relative`,
});

/** The id of a part, as `cid:` and `Content-ID` write it. */
const idOf = (given: string): string => decoded(given.trim().replace(/^<|>$/g, ''));

function ofPart(id: string, name: string, { attachments }: CheckedMail['mail']): Fault[] {
  if (attachments.some(({ contentId }) => contentId !== null && idOf(contentId) === idOf(id))) return [];
  return [{ level: 'error', message: `${name} is at "cid:${short(id, 60)}", and no attachment has this id` }];
}

/** Parts that no `cid:` uses: of an image, a link or another element. A reader finds them neither in the mail nor among its attachments. */
function unusedParts({ mail, images: addresses, elements }: CheckedMail): Fault[] {
  if (mail.html === null) return [];
  const urls = [
    ...addresses.map(({ url }) => url),
    ...elements.flatMap(({ attributes }) => [...attributes.values()]),
  ];
  const used = new Set(urls.flatMap((url) => (/^\s*cid:/i.test(url) ? [idOf(url.trim().slice(4))] : [])));
  return mail.attachments
    .filter(({ inline, contentId }) => inline && contentId !== null && !used.has(idOf(contentId)))
    .map(({ filename, contentId }) => ({
      level: 'warn',
      message: `The inline attachment ${short(filename || (contentId ?? ''), 60)} is used by no \`cid:${short(contentId ?? '', 60)}\``,
    }));
}

const ofSvg = (name: string): Fault => ({
  level: 'warn',
  message: `An SVG image, which many mail programs do not show: ${name}`,
  group: 'svg',
});
