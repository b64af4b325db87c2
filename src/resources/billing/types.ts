/** The usage of a limit. */
export interface BillingCount {
  /** Used in this cycle. */
  current: number;
  /** Included in the plan. */
  limit: number;
}

/** The plan of one product, and its usage. */
export interface BillingProduct {
  /** The plan. */
  plan: {
    /** Name of the plan. */
    name: string;
  };
  /** The usage. The counts depend on the product. */
  usage: {
    /** Messages sent or, by the sandbox, captured. */
    sent_messages_count?: BillingCount | undefined;
    /** Messages forwarded by the sandbox. */
    forwarded_messages_count?: BillingCount | undefined;
  };
}

/** The usage of an account in its current billing cycle; products without a plan are absent. */
export interface BillingUsage {
  /** The billing cycle. */
  billing: {
    /** When it began, as an ISO 8601 date-time. */
    cycle_start: string;
    /** When it ends, as an ISO 8601 date-time. */
    cycle_end: string;
  };
  /** The sandbox. */
  testing?: BillingProduct | undefined;
  /** Sending, transactional and bulk. */
  sending?: BillingProduct | undefined;
  /** Campaigns. */
  marketing?: BillingProduct | undefined;
}
