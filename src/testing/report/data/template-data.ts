/** The data of the page of templates while they are written. It imports only data. */
import type { ReportFinding } from './data.ts';

/** A problem with a file of a template. */
export interface TemplateFault {
  readonly file: string;
  readonly line: number | undefined;
  readonly column?: number;
  readonly message: string;
}

/** A file `example.json` with other values than the page shows. */
export interface TemplateConflict {
  readonly error: string;
  /** Its text; null if there is no file. */
  readonly text: string | null;
  /** Its values; null if it is not a JSON object. */
  readonly example: Readonly<Record<string, unknown>> | null;
}

/** A template with its languages. */
export interface ListedTemplate {
  readonly folder: string;
  readonly name: string;
  readonly problems: readonly TemplateFault[];
  /** Its languages, the default first; without languages, the template itself. */
  readonly languages: readonly { readonly folder: string; readonly locale?: string | undefined }[];
}

/** The templates of a folder, as the page lists them. */
export interface TemplateList {
  /** Rises with each change. */
  readonly version: number;
  readonly folder: string;
  readonly templates: readonly ListedTemplate[];
  /** The problems of no template. */
  readonly problems: readonly TemplateFault[];
}

/** A field of the form for variables. */
export interface TemplateField {
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'object';
  readonly isNeeded: boolean;
  /** The fields of an object, by name. */
  readonly fields?: Readonly<Record<string, TemplateField>>;
  /** The elements of a list. */
  readonly item?: TemplateField;
}

/** A template rendered with variables. */
export interface TemplatePreview {
  /** The id of its HTML. */
  readonly id: string;
  readonly subject: string;
  readonly preview: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly missing: readonly string[];
  readonly unused: readonly string[];
  readonly findings: readonly Pick<ReportFinding, 'level' | 'check' | 'message'>[];
  readonly form: TemplateField;
  /** The reasons why the variables do not fit the form. */
  readonly misfits: readonly string[];
  /** The parts from other languages, such as `subject (en)`. */
  readonly taken: readonly string[];
  /** The variables of `example.json`, now. */
  readonly example: Readonly<Record<string, unknown>>;
}
