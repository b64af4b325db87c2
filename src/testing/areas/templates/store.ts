/** The fields that a caller can write. */
export interface TemplateFields {
  name: string;
  subject: string;
  category: string;
  bodyHtml: string | null;
  bodyText: string | null;
}

/** An email template as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface TemplateRecord {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly createdAt: number;
  fields: TemplateFields;
  updatedAt: number;
}

/** All templates. */
export class TemplateStore {
  readonly #templates = new Map<number, TemplateRecord>();
  #nextId = 41_001;

  add(accountId: number, uuid: string, fields: TemplateFields, now: number): TemplateRecord {
    const id = this.#nextId;
    this.#nextId += 1;
    const template: TemplateRecord = { id, uuid, accountId, createdAt: now, updatedAt: now, fields };
    this.#templates.set(id, template);
    return template;
  }

  find(accountId: number, id: number): TemplateRecord | undefined {
    const template = this.#templates.get(id);
    return template?.accountId === accountId ? template : undefined;
  }

  /** The template that an email refers to. */
  withUuid(accountId: number, uuid: string): TemplateRecord | undefined {
    return this.list(accountId).find((template) => template.uuid === uuid.toLowerCase());
  }

  list(accountId: number): TemplateRecord[] {
    return [...this.#templates.values()].filter((template) => template.accountId === accountId);
  }

  remove(id: number): void {
    this.#templates.delete(id);
  }
}
