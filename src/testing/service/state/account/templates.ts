import { type MailParts, type MailTemplate, readMailTemplate } from '../../../../handlebars/mail.ts';
import type { State } from '../base/state.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';

/** The fields that a caller can write. */
export interface TemplateFields {
  name: string;
  subject: string;
  category: string;
  bodyHtml: string | null;
  bodyText: string | null;
}

/** The editors of templates. Only the visual editor can change the bodies of its templates. */
export const EDITORS = ['code', 'visual'] as const;

/** A template as one of the languages of its folder. */
export interface TemplateRecordLanguage {
  readonly locale: string;
  /** The name of the template in its default language. */
  readonly of: string;
  /** The other languages: an email passes the variables of all. */
  readonly others: readonly MailParts[];
}

/** An email template as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface TemplateRecord extends Row<number> {
  readonly uuid: string;
  readonly createdAt: number;
  readonly editor: (typeof EDITORS)[number];
  /** The UUIDs of the template in other accounts, which emails can use too. */
  otherUuids: readonly string[];
  /** Optional variables, in addition to those that the template reads only if they exist. */
  optional: readonly string[];
  /** Its language, of a template from a folder with languages. */
  language?: TemplateRecordLanguage;
  fields: TemplateFields;
  updatedAt: number;
}

/** All templates. */
export class TemplateStore extends Table<TemplateRecord> {
  constructor(state: State) {
    super(state.part('templates', emptyTable<TemplateRecord>(41_001)));
  }

  add(
    accountId: number,
    uuid: string,
    fields: TemplateFields,
    now: number,
    more: Partial<Pick<TemplateRecord, 'editor' | 'otherUuids' | 'optional' | 'language'>> = {},
  ): TemplateRecord {
    const { editor = 'code', otherUuids = [], optional = [], language } = more;
    return this.insert({
      uuid,
      accountId,
      createdAt: now,
      updatedAt: now,
      editor,
      otherUuids,
      optional,
      ...(language && { language }),
      fields,
    });
  }

  /** The template that an email refers to. */
  withUuid(accountId: number, uuid: string): TemplateRecord | undefined {
    const wanted = uuid.toLowerCase();
    return this.of(accountId).find((one) => one.uuid === wanted || one.otherUuids.includes(wanted));
  }
}

/** Parses templates, and caches the result until a template changes: the emails of a batch often share one. */
export function templateParser(): (record: Pick<TemplateRecord, 'fields' | 'language'>) => MailTemplate {
  const cache = new WeakMap<TemplateFields, MailTemplate>();
  return ({ fields, language }) => {
    const before = cache.get(fields);
    if (before !== undefined) return before;
    const { subject, bodyHtml: html, bodyText: text } = fields;
    const parsed = readMailTemplate({ subject, html, text }, language?.others);
    cache.set(fields, parsed);
    return parsed;
  };
}
