import { isLonger } from '../../../../kit/is-longer.ts';
import { objectFrom } from '../../wire/fields.ts';
import { base64, fits, list, plainObject, text, textLike, type Kind } from '../../../declare/kind.ts';
import type { Address, EmulatorAttachment } from '../../state/emails/mail.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_RECIPIENTS = 1000;
const MAX_VARIABLE_BYTES = 1000;
/** The most errors in a response. A body of 60 MiB could have millions. */
const MAX_ERRORS = 1000;

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
  'return-path',
  'sender',
  'subject',
  'to',
];

/** The texts that count as missing if they are empty: some programs fill in each one that is left out. */
export const MAY_BE_EMPTY: readonly string[] = ['text', 'html', 'category'];

const mailbox = textLike('an address', (value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value));
const fileName = textLike('not empty', (value) => value !== '');
const placement = textLike('attachment or inline', (value) => ['attachment', 'inline'].includes(value));

/** Shared empty values for all emails, to save memory. */
const NONE: readonly never[] = Object.freeze([]);
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** A cache of valid parts, by the input object: the emails of a batch share the parts of its base. */
export type KnownParts = WeakMap<object, unknown>;

/** Reads the parts of an email from a body and collects the errors, one sentence for each. */
export class PartReader {
  readonly #fields: Fields;
  readonly #errors: string[] = [];
  readonly #known: KnownParts;
  #count = 0;

  /** @param known - the valid parts that the emails of a request share. */
  constructor(fields: Fields, known: KnownParts = new WeakMap()) {
    this.#fields = fields;
    this.#known = known;
  }

  /** The errors so far. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  /** Adds an error. After the first thousand, only counts. */
  refuse(error: string): void {
    this.#count += 1;
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  }

  /** Whether a value is of a kind. If not, adds an error with the place: the field, its element, or a part of it. */
  #check<T>(kind: Kind<T>, value: unknown, field: string, index?: number, part?: string): value is T {
    const isValid = fits(kind, value);
    if (!isValid)
      this.refuse(`${where(field, index)}${part === undefined ? '' : ` ${part}`} must be ${kind.what}`);
    return isValid;
  }

  /** The value of a field; `null` if it is missing. */
  #input(name: string): unknown {
    const value = this.#fields[name] ?? null;
    return value === '' && MAY_BE_EMPTY.includes(name) ? null : value;
  }

  has(name: string): boolean {
    return this.#input(name) !== null;
  }

  text(name: string, max = Number.POSITIVE_INFINITY): string | null {
    const value = this.#input(name);
    if (value === null || !this.#check(text, value, name)) return null;
    if (value === '') this.refuse(`'${name}' must not be empty`);
    if (isLonger(value, max)) this.refuse(`'${name}' must not exceed ${max} characters`);
    return value;
  }

  address(name: string): Address | null {
    const input = this.#input(name);
    return input === null ? null : this.#once(input, () => this.#address(input, name));
  }

  addresses(name: string): readonly Address[] {
    const input = this.#input(name);
    if (input === null || !this.#check(list, input, name)) return NONE;
    if (input.length > MAX_RECIPIENTS) this.refuse(`'${name}' must not exceed ${MAX_RECIPIENTS} recipients`);
    const addresses: Address[] = [];
    input.forEach((one, index) => {
      const address = this.#address(one, name, index);
      if (address !== null) addresses.push(address);
    });
    return addresses;
  }

  object(name: string): Fields | null {
    const input = objectFrom(this.#input(name));
    return input !== null && this.#check(plainObject, input, name) ? input : null;
  }

  customVariables(): Fields | null {
    return this.#once(this.#fields.custom_variables, () => this.#customVariables());
  }

  #customVariables(): Fields | null {
    const input = this.object('custom_variables');
    if (input === null) return null;
    if (!Object.values(input).every((value) => ['string', 'number', 'boolean'].includes(typeof value))) {
      this.refuse("'custom_variables' must hold plain values only");
    }
    if (isLongerThan(JSON.stringify(input), MAX_VARIABLE_BYTES)) {
      this.refuse(`'custom_variables' must not exceed ${MAX_VARIABLE_BYTES} bytes`);
    }
    return input;
  }

  headers(): Readonly<Record<string, string>> {
    if (!this.has('headers')) return NO_HEADERS;
    return this.#once(this.#fields.headers, () => this.#headers());
  }

  #headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.object('headers') ?? {})) {
      const plain = name.toLowerCase();
      if (RESERVED_HEADERS.includes(plain))
        this.refuse(`'headers' must not include the reserved header ${name}`);
      else if (!/^[!-9;-~]+$/.test(name)) this.refuse("'headers' has an invalid name");
      else if (!this.#check(text, value, `headers.${name}`)) continue;
      else if (/[\r\n\0]/.test(value)) this.refuse(`'headers.${name}' has an invalid value`);
      // Ignores content-transfer-encoding: the service chooses the encoding.
      else if (plain !== 'content-transfer-encoding') headers[name] = value;
    }
    return headers;
  }

  attachments(): readonly EmulatorAttachment[] {
    if (!this.has('attachments')) return NONE;
    return this.#once(this.#fields.attachments, () => this.#attachments());
  }

  #attachments(): EmulatorAttachment[] {
    const input = this.#fields.attachments;
    if (!this.#check(list, input, 'attachments')) return [];
    return input.flatMap((one, index) => this.#attachment(one, 'attachments', index) ?? []);
  }

  /** Reads a part. Returns the cached part if the same object was valid before. */
  #once<Part>(input: unknown, read: () => Part): Part {
    if (typeof input !== 'object' || input === null) return read();
    if (this.#known.has(input)) return this.#known.get(input) as Part;
    const before = this.#count;
    const part = read();
    if (this.#count === before) this.#known.set(input, part);
    return part;
  }

  #attachment(input: unknown, field: string, index: number): EmulatorAttachment | null {
    if (!this.#check(plainObject, input, field, index)) return null;
    const { content, filename, type = null, disposition = null, content_id: contentId = null } = input;
    const before = this.#count;
    this.#check(base64, content, field, index, 'content');
    if (!fits(fileName, filename)) this.refuse(`${where(field, index)} filename is required`);
    if (type !== null) this.#check(text, type, field, index, 'type');
    if (disposition !== null) this.#check(placement, disposition, field, index, 'disposition');
    if (contentId !== null) this.#check(text, contentId, field, index, 'content_id');
    if (this.#count > before) return null;
    return {
      content: content as string,
      filename: filename as string,
      type: (type as string | null) ?? 'application/octet-stream',
      disposition: disposition === 'inline' ? 'inline' : 'attachment',
      contentId: contentId as string | null,
    };
  }

  #address(input: unknown, field: string, index?: number): Address | null {
    if (!this.#check(plainObject, input, field, index)) return null;
    const { email, name = null } = input;
    const isNamed = name !== null && this.#check(text, name, field, index, 'name');
    if (!fits(mailbox, email)) {
      this.refuse(`${where(field, index)} address is invalid`);
      return null;
    }
    return { email, name: isNamed ? name : null };
  }
}

/** The name of a field or its element in an error. */
const where = (field: string, index?: number) =>
  index === undefined ? `'${field}'` : `'${field}[${index}]'`;

/** Whether a text has more bytes than this in UTF-8. */
function isLongerThan(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}
