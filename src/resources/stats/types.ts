/** Parameters of every method of `stats`. Emails have to match all filters. */
export interface StatsParams {
  /** First day, as `YYYY-MM-DD`. */
  start_date: string;
  /** Last day, as `YYYY-MM-DD`; it is included. */
  end_date: string;
  /** Ids of sending domains; all by default. */
  domain_ids?: readonly number[] | undefined;
  /** Streams; all by default. */
  sending_streams?: readonly ('transactional' | 'bulk')[] | undefined;
  /** Categories; all by default. */
  categories?: readonly string[] | undefined;
  /** The recipients' email providers, such as `Google`; all by default. */
  email_service_providers?: readonly string[] | undefined;
}

/** The counts of emails by outcome. Rates are from 0 to 1. */
export interface EmailStats {
  /** Emails delivered. */
  delivery_count: number;
  /** Share of the emails sent that were delivered. */
  delivery_rate: number;
  /** Emails that bounced for good; a soft bounce is not counted. */
  bounce_count: number;
  /** Share of the emails sent that bounced. */
  bounce_rate: number;
  /** Emails opened. */
  open_count: number;
  /** Share of the emails delivered that were opened. */
  open_rate: number;
  /** Emails in which a link was clicked. */
  click_count: number;
  /** Share of the emails delivered in which a link was clicked. */
  click_rate: number;
  /** Emails reported as spam. */
  spam_count: number;
  /** Share of the emails sent that were reported as spam. */
  spam_rate: number;
}

/** The statistics of one sending domain. */
export interface DomainStats {
  /** Id of the sending domain. Under an account the service calls it `sending_domain_id`. */
  domain_id: number;
  /** Its figures. */
  stats: EmailStats;
}

/** The statistics of one category. */
export interface CategoryStats {
  /** The category. */
  category: string;
  /** Its figures. */
  stats: EmailStats;
}

/** The statistics of one email provider. */
export interface EmailServiceProviderStats {
  /** The recipients' email provider. */
  email_service_provider: string;
  /** Its figures. */
  stats: EmailStats;
}

/** The statistics of one day. */
export interface DateStats {
  /** The day, as `YYYY-MM-DD`. */
  date: string;
  /** Its figures. */
  stats: EmailStats;
}
