import { short, type Fault, type MailCheck } from '../records/checked-mail.ts';

/** Images that many mail programs do not show: SVG, and those in a `data:` address. */
export const images: MailCheck = ({ elements }) => {
  const faults = elements.flatMap(({ tag, attributes }): Fault[] => {
    if (tag === 'svg') return [ofSvg('an <svg> element')];
    const src = tag === 'img' ? (attributes.get('src') ?? '').trim() : '';
    if (/^data:/i.test(src)) {
      const type = /^data:([\w/+.-]*)/i.exec(src)?.[1] ?? '';
      const message = `An image in a data: address, which many mail programs do not show: ${type || 'no type'}`;
      return [{ level: 'warn', message, group: 'data' }];
    }
    const path = src.split(/[?#]/)[0] ?? '';
    return /\.svgz?$/i.test(path) ? [ofSvg(short(path, 60))] : [];
  });
  return [...new Map(faults.map((fault) => [fault.group, fault])).values()];
};

const ofSvg = (name: string): Fault => ({
  level: 'warn',
  message: `An SVG image, which many mail programs do not show: ${name}`,
  group: 'svg',
});
