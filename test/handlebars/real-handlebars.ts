import Handlebars from 'handlebars';

/** What `{{#if}}` of the service takes for false: also an empty object. */
export const isFalse = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

/** The real Handlebars, with the `if` and `unless` of the service. */
export function realHandlebars(): typeof Handlebars {
  const own = Handlebars.create();
  own.registerHelper(
    'if',
    function (this: unknown, value: unknown, { fn, inverse }: Handlebars.HelperOptions) {
      return isFalse(value) ? inverse(this) : fn(this);
    },
  );
  own.registerHelper(
    'unless',
    function (this: unknown, value: unknown, { fn, inverse }: Handlebars.HelperOptions) {
      return isFalse(value) ? fn(this) : inverse(this);
    },
  );
  return own;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x60;': '`',
  '&#x3D;': '=',
};

/** The same without escapes. Handlebars itself has no way to it: `noEscape` adds the numbers of `{{a}}{{b}}`. */
export const decoded = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#x27|#x60|#x3D);/g, (entity) => CHARACTERS[entity] ?? entity);
