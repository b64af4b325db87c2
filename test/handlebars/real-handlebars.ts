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

/** The exceptions of the service from Handlebars 4.7 in the characters that `{{name}}` escapes: it documents five of seven. */
const NOT_ESCAPED: Readonly<Record<string, string>> = { '&#x60;': '`', '&#x3D;': '=' };

/** What real Handlebars rendered, with the characters that the service leaves as they are. */
export const asService = (html: string): string =>
  html.replace(/&#x(?:60|3D);/g, (entity) => NOT_ESCAPED[entity] ?? entity);
