/** The source of HTML in parts, for colours. */

export type Part = 'text' | 'tag' | 'name' | 'value' | 'comment';

/** A comment, a tag with its attributes, or the text up to the next one. */
const PIECE = /<!--[\s\S]*?(?:-->|$)|<\/?[a-z!][^<>]*>?|[^<]+|</gi;
const ATTRIBUTE = /([^\s"'=<>/]+)|("[^"]*"?|'[^']*'?)|([\s\S])/g;

/** Splits HTML into parts, in order; joined they are the same text. */
export function partsOfHtml(html: string): readonly (readonly [Part, string])[] {
  const parts: [Part, string][] = [];
  const add = (part: Part, text: string) => {
    const last = parts.at(-1);
    if (last?.[0] === part) last[1] += text;
    else parts.push([part, text]);
  };
  for (const [piece] of html.matchAll(PIECE)) {
    if (piece.startsWith('<!--')) add('comment', piece);
    else if (!/^<\/?[a-z!]/i.test(piece)) add('text', piece);
    else {
      const [start = ''] = /^<\/?[^\s/>]+/.exec(piece) ?? [];
      add('tag', start);
      for (const [whole, name, value] of piece.slice(start.length).matchAll(ATTRIBUTE))
        add(name !== undefined ? 'name' : value !== undefined ? 'value' : 'tag', whole);
    }
  }
  return parts;
}
