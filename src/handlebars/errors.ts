/** A template cannot be read: its blocks or tags are not Handlebars. */
export class TemplateSyntaxError extends Error {
  override readonly name = 'TemplateSyntaxError';
  /** The line of the template, from 1. */
  readonly line: number;
  /** The column in the line, from 1. */
  readonly column: number;

  constructor(message: string, { line, column }: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** A template is nested too deep, or its result is too large. */
export class TemplateTooComplex extends Error {
  override readonly name = 'TemplateTooComplex';

  constructor() {
    super('The template is nested too deep, or its result is too large');
  }
}
