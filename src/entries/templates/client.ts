import type { Account } from '../../resources/accounts/types.ts';
import type {
  Template,
  TemplateCreateParams,
  TemplateUpdateParams,
} from '../../resources/templates/types.ts';

/** The options of the client's calls. */
export interface TemplatesCallOptions {
  /** The account to act on. */
  readonly accountId?: number | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The part of a client, `new EmailPlatform()`, that pulls and pushes templates. */
export interface TemplatesClient {
  /** The client's account; undefined if it has none. */
  readonly accountId: number | undefined;
  /** Accounts that the token can see. */
  readonly accounts: {
    /** Lists them. */
    list(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<Account>;
  };
  /** Templates of the account. */
  readonly templates: {
    /** Lists all templates. */
    list(options?: TemplatesCallOptions): AsyncIterable<Template>;
    /** Reads a template. */
    get(id: number, options?: TemplatesCallOptions): PromiseLike<Template>;
    /** Creates a template. */
    create(params: TemplateCreateParams, options?: TemplatesCallOptions): PromiseLike<Template>;
    /** Changes a template. */
    update(id: number, params: TemplateUpdateParams, options?: TemplatesCallOptions): PromiseLike<Template>;
    /** Deletes a template. */
    delete(id: number, options?: TemplatesCallOptions): PromiseLike<void>;
  };
}
