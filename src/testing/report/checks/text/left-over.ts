import { decoded } from '../../../encoding/decoded.ts';
import { short, type MailCheck } from '../../records/checked-mail.ts';

/** A placeholder of a template, or of a template literal. Emails about templates quote theirs. `{{\` begins a group in RTF. */
const LEFT_OVER = /(?<!["'`“‘«{])(?:\{\{\{?(?!\{*\\)[^{}\n\t]{0,80}(?:\}\}\}?)?|\$\{[^{}\n\t]{1,80}[{}])/g;
/** Verbs that tell to write a placeholder. */
const TOLD = /(?:write|put|use|type|insert|add|like|as)\s$/i;

/** Whether an address is a placeholder, or has one in it. */
export const isPlaceholder = (address: string): boolean => decoded(address).search(LEFT_OVER) >= 0;

/** A `{{` or a `${` that nothing has replaced, in the subject, a name, the preview, the text, a link or an image. */
export const leftOver: MailCheck = ({ texts, names, anchors, images, isAboutPrograms }) => {
  // An empty placeholder is in texts about templates only.
  const isTaught = texts.some(({ text }) => /\{\{\s*\}\}/.test(text));
  const places = [
    ...(isTaught ? [] : texts),
    ...names,
    ...anchors.map(({ href }) => ({ text: href, where: 'a link' })),
    ...images.map(({ url }) => ({ text: url, where: 'the address of an image' })),
  ];
  const messages = places.flatMap((place) => {
    const text = decoded(place.text);
    return [...text.matchAll(LEFT_OVER)].flatMap(({ 0: found, index }) => {
      // Programs for a shell have `${name}`, too.
      const isCode = found.startsWith('$') || TOLD.test(text.slice(Math.max(0, index - 8), index));
      if (isAboutPrograms && texts.includes(place) && isCode) return [];
      return `${short(found.trim(), 60)} is left over in ${place.where}`;
    });
  });
  return [...new Set(messages)].map((message) => ({ level: 'error', message }));
};
