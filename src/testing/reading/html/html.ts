/**
 * Reads HTML like a browser without scripts: the links, and the visible text. parse5 builds the tree. `reading` may
 * import `encoding`, `declare` and `common`; it knows no emulator.
 */
import { defaultTreeAdapter, html as spec, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { baseOf } from '../text/addresses.ts';
import { Styles, type Declarations } from './styles.ts';
import { TextFlow, type Range } from '../text/text-flow.ts';

/** A link as it stands in the HTML. */
export interface Anchor {
  readonly href: string;
  /** Its visible text. An image counts as its alternative text. */
  readonly text: string;
  /** The visible text without images. */
  readonly textWithoutImages: string;
  /** The visible sentence around it, as far as it is on its line. */
  readonly sentence: string;
}

/** The content of HTML. */
export interface Page {
  readonly anchors: readonly Anchor[];
  /** The base URL of relative links; `undefined` if no `<base>` has a usable one. */
  readonly base: string | undefined;
  /** The visible text. A tab separates cells, a line break separates blocks. */
  readonly text: string;
  /** The hidden text before the first visible text, which mail programs show beside the subject. */
  readonly preview: string;
  /** The offsets of 4 to 8 digits that are alone in an element. */
  readonly digitsAlone: ReadonlySet<number>;
  /** The parts of the text that a link marks as phone number, or an element as postal address. They do not overlap. */
  readonly marked: readonly Marked[];
}

/** A part of the text with a meaning in the HTML. */
export interface Marked extends Range {
  readonly as: 'a phone number' | 'an address';
}

/**
 * The most elements of an email. The parser reopens wrongly nested tags in each block, so that a small text can produce any
 * number of elements. Other HTML has fewer elements than characters.
 */
const maxElements = (html: string) => Math.max(100_000, Math.min(html.length, 2_000_000));

/** The tree of a document. A browser without scripts shows the content of `<noscript>`. */
function treeOf(html: string): Tree.Document {
  const most = maxElements(html);
  let elements = 0;
  return parse(html, {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...given: Parameters<typeof defaultTreeAdapter.createElement>) {
        elements += 1;
        if (elements > most) throw new RangeError(`The HTML of the email has more than ${most} elements`);
        return defaultTreeAdapter.createElement(...given);
      },
    },
  });
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const BLOCKS =
  words(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre
  search section summary table tbody tfoot thead tr ul`);
const CELLS = words('td th');
/** Elements that show none of their text. */
const UNSEEN =
  words(`audio canvas datalist desc head iframe link meta metadata noembed noframes object param rp script
  source style template title track video`);

/** The style that an element inherits. */
interface Inherited {
  readonly isHidden: boolean;
  /** The element, or one around it, shows none of its text anywhere. */
  readonly isUnread: boolean;
  /** An inner element can override `visibility` and the font size. */
  readonly isInvisible: boolean;
  readonly isTiny: boolean;
  readonly keepsLines: boolean;
  readonly as: Marked['as'] | undefined;
}

interface Leaving {
  readonly leave: () => void;
}

interface Entering {
  readonly node: Tree.ChildNode;
  readonly inherited: Inherited;
}

const isZero = (value: string | undefined) => value !== undefined && /^[+-]?0*\.?0+[a-z%]*$/.test(value);

/** Whether a font size is relative to the size of the outer element. */
const isRelative = (value: string) =>
  /(?:em|ex|ch|%)$|^(?:inherit|unset|larger|smaller)$/.test(value) && !value.endsWith('rem');

function isUnseen(styles: Declarations, hasHidden: boolean): boolean {
  const value = (property: string) => styles.get(property)?.value;
  const isCut =
    value('overflow')?.startsWith('hidden') === true &&
    (isZero(value('max-height')) || isZero(value('height')));
  return (value('display') ?? (hasHidden ? 'none' : '')) === 'none' || isZero(value('opacity')) || isCut;
}

/** The style that an element passes to its content: for most elements, the inherited one. */
function passedOn(
  inherited: Inherited,
  styles: Declarations,
  tag: string,
  attributes: ReadonlyMap<string, string>,
  unseen: ReadonlySet<string>,
): Inherited {
  const value = (property: string) => styles.get(property)?.value;
  const [visibility, fontSize, whiteSpace] = [value('visibility'), value('font-size'), value('white-space')];
  const keepsLines =
    whiteSpace === undefined
      ? tag === 'pre' || tag === 'textarea' || inherited.keepsLines
      : /^(pre|break)/.test(whiteSpace);
  const isPhone = tag === 'a' && /^\s*(?:tel|sms):/i.test(attributes.get('href') ?? '');
  const as = inherited.as ?? (isPhone ? 'a phone number' : tag === 'address' ? 'an address' : undefined);
  const isUnread = inherited.isUnread || unseen.has(tag);
  return {
    isHidden: inherited.isHidden || isUnread || isUnseen(styles, attributes.has('hidden')),
    isUnread,
    isInvisible:
      visibility === undefined || visibility === 'inherit' ? inherited.isInvisible : visibility !== 'visible',
    isTiny:
      fontSize === undefined
        ? inherited.isTiny
        : isZero(fontSize) || (isRelative(fontSize) && inherited.isTiny),
    keepsLines,
    as,
  };
}

/** The separator between an element and the text around it. */
function gapOf(tag: string, display: string | undefined): '' | '\t' | '\n' {
  if (display === undefined || display === 'none') return BLOCKS.has(tag) ? '\n' : CELLS.has(tag) ? '\t' : '';
  if (display === 'table-cell') return '\t';
  return /^(inline|contents|ruby)/.test(display) ? '' : '\n';
}

/** The longest text of an element with digits alone in it, in characters. */
const MAX_ALONE = 64;
const ALONE = /^[^\p{L}\p{N}]*(?<![#@$€£¥+-])(\d{4,8})(?![%$€£¥])[^\p{L}\p{N}]*$/u;

const textOf = ({ childNodes }: Tree.Element): string =>
  childNodes.map((node) => ('value' in node ? node.value : '')).join('');

/** The styles of all style sheets of a document. */
function stylesOf(sheets: readonly Tree.Element[]): Styles {
  const styles = new Styles();
  for (const sheet of sheets) {
    const media = sheet.attrs.find(({ name }) => name === 'media')?.value ?? '';
    const css = textOf(sheet);
    styles.add(media.trim() === '' ? css : `@media ${media.replace(/[{};]/g, '')} {${css}}`);
  }
  return styles;
}

/** Every element of a tree, in document order. Not recursive, because a tree can exceed the call stack. */
function* elementsOf(root: Tree.Document): Generator<Tree.Element> {
  const open: Tree.ChildNode[] = [...root.childNodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!('tagName' in node)) continue;
    yield node;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = node.childNodes[index];
      if (child !== undefined) open.push(child);
    }
  }
}

/** Reads HTML, in linear time. */
export const readHtml = (html: string): Page => readTree(treeOf(html), UNSEEN);

const isHtml = ({ namespaceURI }: Tree.Element) => namespaceURI === spec.NS.HTML;

function readTree(tree: Tree.Document, unseen: ReadonlySet<string>): Page {
  const sheets: Tree.Element[] = [];
  let base: string | undefined;
  for (const element of elementsOf(tree)) {
    if (!isHtml(element)) continue;
    if (element.tagName === 'style') sheets.push(element);
    if (element.tagName === 'base') base ??= element.attrs.find(({ name }) => name === 'href')?.value;
  }
  return new Reading(stylesOf(sheets), unseen).of(tree, baseOf(base));
}

/** An element of HTML. */
export interface FoundElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** HTML as a check of an email reads it. */
export interface Inspected {
  /** Its content, without the text of code. */
  readonly page: Page;
  /** Its style sheets. */
  readonly sheets: readonly string[];
  /** Every element, in its order. */
  readonly elements: readonly FoundElement[];
}

const UNSEEN_WITHOUT_CODE: ReadonlySet<string> = new Set([...UNSEEN, ...words('code kbd pre samp tt')]);

/** Reads HTML with all of its elements. Takes time in proportion to its length. */
export function inspectHtml(html: string): Inspected {
  const tree = treeOf(html);
  const all = [...elementsOf(tree)];
  const elements = all.map(({ tagName: tag, attrs }) => ({
    tag,
    attributes: new Map(attrs.map(({ name, value }) => [name, value])),
  }));
  const sheets = all.filter((one) => isHtml(one) && one.tagName === 'style').map(textOf);
  return { page: readTree(tree, UNSEEN_WITHOUT_CODE), sheets, elements };
}

/** The most characters of a sentence before and after a link. */
const SENTENCE = 160;

function sentenceAround(text: string, { from, to }: Range): string {
  const before = text
    .slice(Math.max(0, from - SENTENCE), from)
    .replace(/^[^]*(?:[\n\t]|[.!。！](?=\s|$))/u, '');
  const after = /^[^\n\t.!。！]*/u.exec(text.slice(to, to + SENTENCE))?.[0] ?? '';
  return before + text.slice(from, Math.min(to, from + SENTENCE)) + after;
}

/** A walk through a tree. */
class Reading {
  readonly #styles: Styles;
  readonly #unseen: ReadonlySet<string>;
  readonly #flow = new TextFlow();
  readonly #flowWithoutImages = new TextFlow();
  readonly #preview = new TextFlow();
  readonly #anchors: { href: string; range: Range; rangeWithoutImages: Range }[] = [];
  readonly #digitsAlone = new Set<number>();
  readonly #marked: Marked[] = [];

  /** @param unseen - Elements that show none of their text. */
  constructor(styles: Styles, unseen: ReadonlySet<string>) {
    this.#styles = styles;
    this.#unseen = unseen;
  }

  of(tree: Tree.Document, base: string | undefined): Page {
    const none = {
      isHidden: false,
      isUnread: false,
      isInvisible: false,
      isTiny: false,
      keepsLines: false,
      as: undefined,
    };
    const open: (Entering | Leaving)[] = [];
    const enterAll = ({ childNodes }: Tree.ParentNode, inherited: Inherited) => {
      for (let index = childNodes.length - 1; index >= 0; index -= 1) {
        const node = childNodes[index];
        if (node !== undefined) open.push({ node, inherited });
      }
    };
    enterAll(tree, none);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if ('leave' in next) next.leave();
      else if ('value' in next.node) this.#text(next.node.value, next.inherited);
      else if ('tagName' in next.node) {
        const { node } = next;
        const { inherited, leave } = this.#enter(node, next.inherited);
        if (leave !== undefined) open.push({ leave });
        enterAll(node, inherited);
      }
    }
    const text = this.#flow.toString();
    const line = text.replace(/[\t\n]/g, ' ');
    const lineWithoutImages = this.#flowWithoutImages.toString().replace(/[\t\n]/g, ' ');
    return {
      base,
      text,
      preview: this.#preview.toString(),
      digitsAlone: this.#digitsAlone,
      marked: this.#marked,
      anchors: this.#anchors.map(({ href, range, rangeWithoutImages: without }) => ({
        href,
        text: line.slice(range.from, range.to).trim(),
        textWithoutImages: lineWithoutImages.slice(without.from, without.to).trim(),
        sentence: sentenceAround(text, range),
      })),
    };
  }

  #add(text: string, isImage = false): void {
    this.#flow.add(text);
    if (!isImage) this.#flowWithoutImages.add(text);
  }

  #separate(gap: '' | ' ' | '\t' | '\n'): void {
    this.#flow.separate(gap);
    this.#flowWithoutImages.separate(gap);
  }

  #text(text: string, { isHidden, isUnread, isInvisible, isTiny, keepsLines }: Inherited): void {
    if (isHidden || isInvisible || isTiny) {
      if (!isUnread && this.#flow.length === 0) this.#preview.add(` ${text} `);
      return;
    }
    if (!keepsLines) {
      this.#add(text);
      return;
    }
    for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
      if (index > 0) this.#separate('\n');
      this.#add(line);
    }
  }

  /** Enters an element. Returns the inherited style of its content, and the function to call after it. */
  #enter(
    element: Tree.Element,
    around: Inherited,
  ): { inherited: Inherited; leave: (() => void) | undefined } {
    const { tagName: tag, namespaceURI, attrs } = element;
    const attributes = new Map(attrs.map(({ name, value }) => [name, value]));
    const styles = this.#styles.of(tag, attributes);
    const inherited = passedOn(around, styles, tag, attributes, this.#unseen);
    const isSeen = !inherited.isHidden && !inherited.isInvisible;
    if (tag === 'br' && !inherited.isHidden) this.#separate('\n');
    if (tag === 'img' && isSeen) {
      this.#separate(' ');
      this.#add(attributes.get('alt') ?? '', true);
      this.#separate(' ');
    }
    const gap = inherited.isHidden ? '' : gapOf(tag, styles.get('display')?.value);
    this.#separate(gap);
    const isLink = tag === 'a' && namespaceURI !== spec.NS.MATHML && attributes.has('href');
    if (element.childNodes.length === 0 && !isLink) {
      return { inherited, leave: undefined };
    }
    const [from, fromWithoutImages] = [this.#flow.length, this.#flowWithoutImages.length];
    const place = this.#anchors.length;
    if (isLink) {
      const none = { from, to: from };
      this.#anchors.push({ href: attributes.get('href') ?? '', range: none, rangeWithoutImages: none });
    }
    const leave = () => {
      const to = this.#flow.length;
      if (isLink) {
        this.#anchors[place] = {
          href: attributes.get('href') ?? '',
          range: { from, to },
          rangeWithoutImages: { from: fromWithoutImages, to: this.#flowWithoutImages.length },
        };
      }
      if (inherited.as !== undefined && around.as === undefined && to > from)
        this.#marked.push({ from, to, as: inherited.as });
      this.#separate(gap);
      const own = to - from < 4 ? undefined : this.#flow.since(from, MAX_ALONE);
      if (own !== undefined && ALONE.test(own)) this.#digitsAlone.add(from + own.search(/\d/));
    };
    return { inherited, leave };
  }
}
