import type { Account } from '../resources/accounts/types.ts';
import type { Template, TemplateCreateParams, TemplateUpdateParams } from '../resources/templates/types.ts';

/** The options of its calls. */
export interface TemplatesCallOptions {
  /** The account to act on. */
  readonly accountId?: number | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** A client, `new EmailPlatform()`, by the methods that templates are pulled and pushed with. */
export interface TemplatesClient {
  /** The account that it acts on; undefined if it has none of its own. */
  readonly accountId: number | undefined;
  /** Accounts that the token can see. */
  readonly accounts: {
    /** Lists them. */
    list(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<Account>;
  };
  /** Templates of the account. */
  readonly templates: {
    /** Lists them all. */
    list(options?: TemplatesCallOptions): AsyncIterable<Template>;
    /** Reads one. */
    get(id: number, options?: TemplatesCallOptions): PromiseLike<Template>;
    /** Creates one. */
    create(params: TemplateCreateParams, options?: TemplatesCallOptions): PromiseLike<Template>;
    /** Changes one. */
    update(id: number, params: TemplateUpdateParams, options?: TemplatesCallOptions): PromiseLike<Template>;
    /** Deletes one. */
    delete(id: number, options?: TemplatesCallOptions): PromiseLike<void>;
  };
}
