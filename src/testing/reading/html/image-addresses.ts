import type { FoundElement } from './html.ts';

/** An address from which HTML loads an image. */
export interface ImageAddress {
  readonly url: string;
  /** Where it stands: an element, an attribute or a style. */
  readonly by: 'img' | 'srcset' | 'background' | 'style';
}

/** The `url(…)` of styles, besides those of fonts and of other style sheets. Bounded, so that unclosed ones take little time. */
const URL_IN_STYLE = /url\(([^()]{0,4000})\)/gi;
const NOT_IMAGES = /@import[^;]{0,2000};|@font-face[^{}]{0,50}\{[^{}]{0,4000}\}/gi;

function inStyle(css: string): ImageAddress[] {
  return Array.from(css.replace(NOT_IMAGES, '').matchAll(URL_IN_STYLE), ([, url = '']) => ({
    url: url.trim().replace(/^["']|["']$/g, ''),
    by: 'style' as const,
    // A part of the same document, such as a gradient of an SVG.
  })).filter(({ url }) => !url.startsWith('#'));
}

/** The addresses in `srcset`: `a.png 1x, b.png 2x`. */
const inSrcset = (srcset: string): ImageAddress[] =>
  srcset
    .split(/\s+/)
    .map((word) => word.replace(/^[\d.]{1,12}[wxh](?:,|$)/, '').replace(/,$/, ''))
    .filter((url) => url !== '')
    .map((url) => ({ url, by: 'srcset' }));

/** Every address from which the elements and the style sheets of HTML load an image. */
export function imagesIn(elements: readonly FoundElement[], sheets: readonly string[]): ImageAddress[] {
  const ofElements = elements.flatMap(({ tag, attributes }): ImageAddress[] => {
    const [srcset, background, style] = ['srcset', 'background', 'style'].map((name) => attributes.get(name));
    const isImage = tag === 'img' || (tag === 'input' && attributes.get('type')?.toLowerCase() === 'image');
    const hasOwn = isImage && (attributes.has('src') || srcset === undefined);
    return [
      ...(hasOwn ? [{ url: (attributes.get('src') ?? '').trim(), by: 'img' as const }] : []),
      ...(srcset === undefined || (tag !== 'img' && tag !== 'source') ? [] : inSrcset(srcset)),
      ...(background === undefined ? [] : [{ url: background.trim(), by: 'background' as const }]),
      ...(style === undefined ? [] : inStyle(style)),
    ];
  });
  return [...ofElements, ...sheets.flatMap(inStyle)];
}
