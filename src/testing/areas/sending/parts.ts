import type { Address, EmulatorAttachment } from './mail.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_RECIPIENTS = 1000;
const MAX_VARIABLE_BYTES = 1000;

/** The headers that the service writes itself. */
const RESERVED_HEADERS = [
  'bcc',
  'cc',
  'content-type',
  'date',
  'dkim-signature',
  'from',
  'mime-version',
  'received',
  'reply-to',
  'return-path',
  'sender',
  'subject',
  'to',
];

/** Reads the parts of an email from a body and collects their errors. */
export class PartReader {
  readonly errors: string[] = [];
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  text(name: string, max = Number.POSITIVE_INFINITY): string | null {
    const value = this.#fields[name];
    if (!this.has(name)) return null;
    if (typeof value !== 'string') {
      this.errors.push(`'${name}' must be a string`);
      return null;
    }
    if (value === '') this.errors.push(`'${name}' must not be empty`);
    if (value.length > max && Array.from(value).length > max)
      this.errors.push(`'${name}' must not exceed ${max} characters`);
    return value;
  }

  address(name: string): Address | null {
    return this.has(name) ? this.#address(this.#fields[name], `'${name}'`) : null;
  }

  addresses(name: string): Address[] {
    const given = this.#fields[name];
    if (!this.has(name)) return [];
    if (!Array.isArray(given)) {
      this.errors.push(`'${name}' must be an array`);
      return [];
    }
    if (given.length > MAX_RECIPIENTS)
      this.errors.push(`'${name}' must not exceed ${MAX_RECIPIENTS} recipients`);
    return given.flatMap((one: unknown, index) => this.#address(one, `'${name}[${index}]'`) ?? []);
  }

  object(name: string): Record<string, unknown> | null {
    const given = this.#fields[name];
    if (!this.has(name)) return null;
    if (isObject(given)) return given;
    this.errors.push(`'${name}' must be an object`);
    return null;
  }

  customVariables(): Record<string, unknown> | null {
    const given = this.object('custom_variables');
    if (given === null) return null;
    if (!Object.values(given).every((value) => ['string', 'number', 'boolean'].includes(typeof value))) {
      this.errors.push("'custom_variables' must hold plain values only");
    }
    if (new TextEncoder().encode(JSON.stringify(given)).length > MAX_VARIABLE_BYTES) {
      this.errors.push(`'custom_variables' must not exceed ${MAX_VARIABLE_BYTES} bytes`);
    }
    return given;
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.object('headers') ?? {})) {
      const plain = name.toLowerCase();
      if (RESERVED_HEADERS.includes(plain))
        this.errors.push(`'headers' must not include the reserved header ${name}`);
      else if (!/^[!-9;-~]+$/.test(name)) this.errors.push("'headers' has an invalid name");
      else if (typeof value !== 'string') this.errors.push(`'headers.${name}' must be a string`);
      else if (/[\r\n\0]/.test(value)) this.errors.push(`'headers.${name}' has an invalid value`);
      // The service chooses the encoding, whatever the request says.
      else if (plain !== 'content-transfer-encoding') headers[name] = value;
    }
    return headers;
  }

  attachments(): EmulatorAttachment[] {
    const given = this.#fields.attachments;
    if (!this.has('attachments')) return [];
    if (!Array.isArray(given)) {
      this.errors.push("'attachments' must be an array");
      return [];
    }
    return given.flatMap((one: unknown, index) => this.#attachment(one, `'attachments[${index}]'`) ?? []);
  }

  #attachment(given: unknown, where: string): EmulatorAttachment | null {
    if (!isObject(given)) {
      this.errors.push(`${where} must be an object`);
      return null;
    }
    const { content, filename, type = null, disposition = null, content_id: contentId = null } = given;
    const before = this.errors.length;
    if (typeof content !== 'string' || !isBase64(content))
      this.errors.push(`${where} content must be base64`);
    if (typeof filename !== 'string' || filename === '') this.errors.push(`${where} filename is required`);
    if (type !== null && typeof type !== 'string') this.errors.push(`${where} type must be a string`);
    if (disposition !== null && disposition !== 'attachment' && disposition !== 'inline') {
      this.errors.push(`${where} disposition must be attachment or inline`);
    }
    if (contentId !== null && typeof contentId !== 'string') {
      this.errors.push(`${where} content_id must be a string`);
    }
    if (this.errors.length > before) return null;
    return {
      content: content as string,
      filename: filename as string,
      type: (type as string | null) ?? 'application/octet-stream',
      disposition: disposition === 'inline' ? 'inline' : 'attachment',
      contentId: contentId as string | null,
    };
  }

  #address(given: unknown, where: string): Address | null {
    if (!isObject(given)) {
      this.errors.push(`${where} must be an object`);
      return null;
    }
    const { email, name = null } = given;
    if (name !== null && typeof name !== 'string') this.errors.push(`${where} name must be a string`);
    if (typeof email !== 'string' || !/^[^\s@<>]+@[^\s@<>]+$/.test(email)) {
      this.errors.push(`${where} address is invalid`);
      return null;
    }
    return { email, name: typeof name === 'string' ? name : null };
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBase64(text: string): boolean {
  const packed = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
}
