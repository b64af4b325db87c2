/*
 * The types of the web platform that this package names. A type is the compiler's own if the compiler has it: from the
 * library "dom", from Node's types, or from the types of another runtime. Otherwise it is the part declared here, so that
 * an application needs neither the library nor Node's types.
 */
type KnownOr<Known, Else> = [0] extends [1 & Known] ? Else : Known;
/** @ts-ignore: may be unknown */
type AbortSignal = KnownOr<globalThis.AbortSignal, MinimalAbortSignal>;
interface MinimalAbortSignal {
  readonly aborted: boolean;
  readonly reason: any;
  addEventListener(type: 'abort', listener: (event: any) => void, options?: any): void;
  removeEventListener(type: 'abort', listener: (event: any) => void, options?: any): void;
}
/** @ts-ignore: may be unknown */
type Blob = KnownOr<globalThis.Blob, MinimalBlob>;
interface MinimalBlob {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  text(): Promise<string>;
}
/** @ts-ignore: may be unknown */
type Disposable = KnownOr<globalThis.Disposable, {}>;
/** @ts-ignore: may be unknown */
type Headers = KnownOr<globalThis.Headers, MinimalHeaders>;
interface MinimalHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
  forEach(callback: (value: string, name: string) => void): void;
}
/** @ts-ignore: may be unknown */
type ReadableStream<R = any> = KnownOr<globalThis.ReadableStream<R>, MinimalReadableStream<R>>;
interface MinimalReadableStream<R> {
  readonly locked: boolean;
  cancel(reason?: any): Promise<void>;
  getReader(): {
    read(): Promise<{ done: false; value: R } | { done: true; value?: R | undefined }>;
    cancel(reason?: any): Promise<void>;
    releaseLock(): void;
  };
}
/** @ts-ignore: may be unknown */
type Request = KnownOr<globalThis.Request, MinimalBody & { readonly method: string; readonly url: string }>;
/** @ts-ignore: may be unknown */
type RequestInit = KnownOr<globalThis.RequestInit, MinimalRequestInit>;
interface MinimalRequestInit {
  method?: string;
  headers?: any;
  body?: any;
  signal?: any;
}
/** @ts-ignore: may be unknown */
type Response = KnownOr<globalThis.Response, MinimalBody & { readonly ok: boolean; readonly status: number }>;
interface MinimalBody {
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
  json(): Promise<any>;
  text(): Promise<string>;
}
/** @ts-ignore: may be unknown */
type URL = KnownOr<globalThis.URL, { readonly href: string; toString(): string }>;
/** @ts-ignore: may be unknown */
declare const fetch: KnownOr<typeof globalThis.fetch, MinimalFetch>;
type MinimalFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
