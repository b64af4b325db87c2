import type { Readable } from 'node:stream';
import type { SentInfo } from 'email-platform/nodemailer';

/** The fields of a message; they are compared with nodemailer's types elsewhere. */
export type Message = Readonly<Record<string, unknown>>;
/** A message as plugins have it; `message` is there in the step `stream`. */
export interface Composed {
  readonly data: Record<string, unknown>;
  readonly message: {
    addHeader(name: string, value: unknown): void;
    setHeader(name: string, value: unknown): void;
    setEnvelope(envelope: object): void;
    transform(change: unknown): void;
    processFunc(change: (input: Readable) => Readable): void;
    setContent(content: unknown): void;
    setRaw(raw: unknown): void;
    createChild(contentType: string): Composed['message'];
    appendChild(child: object): void;
    remove(): void;
    readonly childNodes: readonly Composed['message'][];
  };
  resolveContent(data: object, key: string, done: (error: Error | null, value: unknown) => void): void;
}
type Plugin = (mail: Composed, done: (error?: Error | null) => void) => void;

export interface Transporter {
  sendMail(message: Message): Promise<SentInfo>;
  sendMail(message: Message, done: (error: Error | null, info: SentInfo) => void): void;
  verify(): Promise<true>;
  verify(done: (error: Error | null, isVerified: true) => void): void;
  isIdle(): boolean;
  close(): void;
  on(event: 'idle', listener: () => void): this;
  use(step: 'compile' | 'stream', plugin: Plugin): this;
}
export interface Nodemailer {
  createTransport(transport: object, defaults?: Message): Transporter;
}
export const nodemailers: readonly (readonly [version: string, nodemailer: Nodemailer])[];
export function htmlToText(): Plugin;
export function handlebars(options: object): Plugin;

export interface Catcher {
  readonly port: number;
  readonly caught: readonly { readonly to: readonly string[]; readonly source: Uint8Array }[];
  close(): Promise<void>;
}
export function catcher(): Promise<Catcher>;
