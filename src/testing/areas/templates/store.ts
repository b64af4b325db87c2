import { arrayOf, recordOf, oneOf, or, positive, text, time } from '../../checks/kind.ts';
import { Table } from '../../table.ts';

/** The fields that a caller can write. */
export interface TemplateFields {
  name: string;
  subject: string;
  category: string;
  bodyHtml: string | null;
  bodyText: string | null;
}

/** The editor of a template. The bodies of one made in the visual editor can be changed only there. */
export const EDITORS = ['code', 'visual'] as const;

/** An email template as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface TemplateRecord {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly createdAt: number;
  readonly editor: (typeof EDITORS)[number];
  /** Other UUIDs by which emails are sent with it: those that it has in other accounts. */
  readonly otherUuids: readonly string[];
  /** Variables that may be left out, besides those that it only reads if they are there. */
  readonly optional: readonly string[];
  fields: TemplateFields;
  updatedAt: number;
}

const template = recordOf<TemplateRecord>({
  id: positive,
  uuid: text,
  accountId: positive,
  createdAt: time,
  editor: oneOf(EDITORS),
  otherUuids: arrayOf('UUIDs', text),
  optional: arrayOf('names of variables', text),
  fields: recordOf<TemplateFields>({
    name: text,
    subject: text,
    category: text,
    bodyHtml: or(text, null),
    bodyText: or(text, null),
  }),
  updatedAt: time,
});

/** All templates. */
export class TemplateStore extends Table<TemplateRecord> {
  constructor() {
    super({ kind: template, firstId: 41_001 });
  }

  add(
    accountId: number,
    uuid: string,
    fields: TemplateFields,
    now: number,
    more: Partial<Pick<TemplateRecord, 'editor' | 'otherUuids' | 'optional'>> = {},
  ): TemplateRecord {
    const { editor = 'code', otherUuids = [], optional = [] } = more;
    return this.insert({
      uuid,
      accountId,
      createdAt: now,
      updatedAt: now,
      editor,
      otherUuids,
      optional,
      fields,
    });
  }

  /** The template that an email refers to. */
  withUuid(accountId: number, uuid: string): TemplateRecord | undefined {
    const wanted = uuid.toLowerCase();
    return this.of(accountId).find((one) => one.uuid === wanted || one.otherUuids.includes(wanted));
  }
}
