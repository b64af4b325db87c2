import type { FoundElement } from '../../../reading/html/html.ts';
import { listed, short, type MailCheck } from '../../records/checked-mail.ts';

/** A dot that counts opens, or an image that is hidden. */
function isUnseen(attributes: FoundElement['attributes']): boolean {
  const style = attributes.get('style') ?? '';
  const isDot = ['width', 'height'].some((name) => /^[01](?:px)?$/.test((attributes.get(name) ?? '').trim()));
  return (
    isDot ||
    /(?:^|[;\s])(?:display\s*:\s*none|(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$))/i.test(style) ||
    attributes.has('hidden') ||
    attributes.get('aria-hidden') === 'true' ||
    /^(?:presentation|none)$/.test(attributes.get('role') ?? '')
  );
}

/** An image without an alternative text. An empty one says that the image means nothing. */
export const alt: MailCheck = ({ elements }) => {
  const without = elements.filter(
    ({ tag, attributes }) => tag === 'img' && !attributes.has('alt') && !isUnseen(attributes),
  );
  if (without.length === 0) return [];
  const names = without.map(({ attributes }) => short((attributes.get('src') ?? '').split('?')[0] ?? '', 60));
  const count = without.length === 1 ? '1 image' : `${without.length} images`;
  return [
    { level: 'warn', message: `${count} without \`alt\`: ${listed([...new Set(names)], 3)}`, group: 'alt' },
  ];
};
