/** HTML in one form: comments, entities, quotes and the order of attributes make no difference. */
import { decodeHTML, escapeText } from 'entities';
import { remembered } from '../mask/remembered.ts';
import { endOfTag } from './tokens.ts';

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;
/** The colon of a declaration. The one of a selector has a brace after its words. */
const COLON = /\s{0,9}:\s{0,9}(?=[^{};:]{0,200}(?:[;}]|$))/g;

/** Brings HTML into one form, which looks the same as the given one. */
export function oneForm(): (html: string) => string {
  const formOf = remembered(formOfTag);
  return (html) => {
    let form = '';
    for (let at = 0; at < html.length;) {
      const found = html.indexOf('<', at);
      const tag = found < 0 ? html.length : found;
      form += formOfText(html.slice(at, tag));
      at = endOfTag(html, tag);
      form += formOf(html.slice(tag, at));
    }
    return form;
  };
}

const formOfText = (text: string) => (/[&>\u00a0]/.test(text) ? escapeText(decodeHTML(text)) : text);
const formOfStyle = (css: string) => css.replace(/\/\*[^]*?(?:\*\/|$)/g, ' ').replace(COLON, ':');

/** A tag in one form; of a comment nothing, unless it is a condition of a mail program. */
function formOfTag(tag: string): string {
  if (tag.startsWith('<!--')) return tag.startsWith('<!--[') ? tag : '';
  if (/^<!doctype/i.test(tag)) return tag.toLowerCase();
  const end = tag.indexOf('>') + 1;
  const [start] = /^<\/?[a-z][^\s/>]*/i.exec(tag) ?? [];
  if (start === undefined || end === 0) return tag;
  const attributes = Array.from(
    tag.slice(start.length, end).matchAll(ATTRIBUTE),
    ([, name = '', double, single, bare]) => formOfAttribute(name.toLowerCase(), double ?? single ?? bare),
  );
  return `${[start.toLowerCase(), ...attributes.sort()].join(' ')}>${formOfStyle(tag.slice(end)).replace(/<\/style/i, '</style')}`;
}

function formOfAttribute(name: string, value: string | undefined): string {
  if (value === undefined) return name;
  const text = escapeText(decodeHTML(value)).replaceAll('"', '&quot;');
  if (name === 'class') return `class="${text.trim().split(/\s+/).sort().join(' ')}"`;
  return `${name}="${name === 'style' ? formOfStyle(text) : text}"`;
}
