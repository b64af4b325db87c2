/** Leaves out tokens, and blocks of text in an encoding. */
import { fromBase64, toBase64 } from '../../encoding/base64.ts';
import { leftOut } from './left-out.ts';
import { pictureOf } from './pictures.ts';
import { remembered } from './remembered.ts';
import { isMostlyWords, isReadable, isStillEncoded } from './words.ts';

/** The fewest characters of a token in a text. */
const LEAST = 16;
const TAG = /(<[/!a-z][^<>]*>)/i;
/** The link of an attribute, or another value. */
const IN_TAG = /\b((?:href|src|action|background)\s?=\s?["']?)([^\s"'<>]+)|[^\s"'<>]+/gi;
const PARTS =
  /data:[\w.+/-]{1,80}(?:;[\w=.-]{1,80}){0,3},[\w+/=%-]+|(?:\b[a-z][a-z\d+.-]{0,20}:)?\/\/[^\s<>"'`]+|\bmailto:[^\s<>"'`]+|(?<![\w<.~%*:/-])\/[\w%~-][^\s<>"'`]*|(?:[\w+/.~%:@$-]|=[\dA-F]{2}){16,}={0,2}/gi;
const LINK = /data:|\/\/|\bmailto:|(?<![\w<.~%*:/-])\/[\w%~-]/i;

const ENCODED_WORD = /=\?[\w.*-]{1,40}\?[bq]\?/i;
const ENCODED_LINK = /&(?:#|[a-z\d]{2,31};)|(?:=[\da-f]{2}){3}|=\?[\w.*-]{1,40}\?[bq]\?/i;

/** Removes the tokens of texts. */
export function tokenRemover(): (text: string) => string {
  const [run, link] = [remembered(withoutToken), remembered(withoutTokensIn)];
  return (text) => {
    if (/^[\w+/=\s-]{64,}$/.test(text) && !/\S \S/.test(text) && !isReadable(text)) return block(text);
    const parts = text
      .split(TAG)
      .map((part, index) =>
        index % 2 === 0
          ? withoutBlocks(part).replace(/[!-~]+/g, run)
          : part.replace(IN_TAG, (whole: string, name: string | undefined, url: string) =>
              name === undefined ? run(whole) : name + link(url),
            ),
      );
    return parts.join('');
  };
}

/** A run of characters without a space. */
function withoutToken(run: string): string {
  if (run.length < LEAST && !run.includes('/')) return run;
  if (LINK.test(run)) return run.replace(PARTS, partOf);
  if (run.length < LEAST || isReadable(run)) return run;
  return isStillEncoded(run) || !isMostlyWords(run) ? token(run) : run.replace(PARTS, partOf);
}

function partOf(part: string): string {
  if (/^data:/i.test(part)) return dataOf(part);
  return LINK.test(part) ? withoutTokensIn(part) : wordOf(part);
}

/** A link without the tokens in its path, query and fragment. */
export function withoutTokensIn(link: string): string {
  if (/^data:/i.test(link)) return dataOf(link);
  const [end = ''] = /[.,:!?)\]}]{1,9}$/.exec(link) ?? [];
  const [, origin = '', path = '', rest = ''] =
    /^((?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/?#]*\/?)?)([^?#]*)([^]*)$/i.exec(
      link.slice(0, link.length - end.length),
    ) ?? [];
  // Its signs do not separate parts if they belong to what is encoded twice, as quoted-printable or as words of a header.
  if (ENCODED_WORD.test(rest) || isStillEncoded(path + rest, ENCODED_LINK))
    return `${origin}${token(path + rest)}${end}`;
  return (
    origin.replace(/[^./:@]{16,}/g, wordOf) +
    path.replace(/(?:&#\w{1,30};|[^/;])+/g, wordOf) +
    rest.replace(/(?:&#\w{1,30};|[^?&=#;])+(?:={1,2}(?=[&#;]|$))?/g, wordOf) +
    end
  );
}

const wordOf = (text: string) => (isReadable(text) ? text : token(text));
const token = ({ length }: string) => leftOut('token', length);
const block = (text: string) =>
  leftOut(
    /^[\da-f\s]+$/i.test(text) ? 'hexadecimal' : /^[\w+/=\s]+$/.test(text) ? 'base64' : 'token',
    text.length,
  );

/** A `data:` address, with its content if it is a picture. */
function dataOf(address: string): string {
  const [head = '', type = '', encoding = ''] = /^data:([^;,]*)(;[^,]*)?,/i.exec(address) ?? [];
  const content = address.slice(head.length);
  const picture = /base64/i.test(encoding) ? pictureIn(content) : undefined;
  return head + (picture ?? leftOut(type || 'text', content.length));
}

/** The picture that base64 has, as base64 without metadata; `undefined` if it has none. */
export function pictureIn(content: string): string | undefined {
  try {
    const picture = pictureOf(fromBase64(content));
    return picture && toBase64(picture);
  } catch {
    return undefined;
  }
}

/** Groups of letters and digits, as a dump of bytes has them. */
const GROUPS = /(?<![\w+/=-])[\w+/=-]{2,}(?:(?:[ \t]|\r?\n[ \t]?)[\w+/=-]{2,})+/g;

/** A text without encoded blocks that have spaces or line breaks: groups of one length, the last one of which may be shorter. */
const withoutBlocks = (text: string): string =>
  text.replace(GROUPS, (run) => {
    const groups = [...run.matchAll(/[\w+/=-]+/g)];
    const textAt = (index: number) => groups[index]?.[0] ?? '';
    let [shown, done] = ['', 0];
    for (let first = 0, next = 0; first < groups.length; first = next) {
      const { length } = textAt(first);
      while (next < groups.length && textAt(next).length === length) next += 1;
      if (length < LEAST && (next - first < 3 || (next - first) * length < LEAST)) continue;
      const same = groups.slice(first, next).map(([group]) => group);
      const last = textAt(next);
      const hasRest = last !== '' && last.length < length && (last.endsWith('=') || !isReadable(last));
      if (!isBlock(same, length, hasRest)) continue;
      if (hasRest) next += 1;
      const from = groups[first]?.index ?? 0;
      const to = (groups[next - 1]?.index ?? 0) + textAt(next - 1).length;
      shown += run.slice(done, from) + block(run.slice(from, to));
      done = to;
    }
    return shown + run.slice(done);
  });

/** Whether groups of one length are an encoded block: a list of codes has no lower case beside upper case. */
function isBlock(groups: readonly string[], length: number, hasRest: boolean): boolean {
  const all = groups.join('');
  if (length >= LEAST) return (groups.length > 1 || hasRest) && !isReadable(all);
  if (groups.length >= 8 && /^[\da-f]+$/i.test(all)) return /[a-f]/i.test(all) && /\d/.test(all);
  const mixed = groups.filter((group) => /[a-z][A-Z\d]|\d[a-z]/.test(group));
  return 2 * mixed.length >= groups.length && /[A-Z]/.test(all) && !isReadable(groups.join(' '));
}
