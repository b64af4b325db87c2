/** How sending domains move by themselves: not published, so it is ours to say. */
export interface EmulatorDomainTiming {
  /**
   * How long after a request created a domain the last of its DNS records passes, in milliseconds. The others pass one
   * after another on the way. Default 60 000; `Infinity` leaves it to `domains.setVerified`.
   */
  propagateMs?: number;
  /**
   * How long a verified domain stays `under_review`, and then `awaiting_questionnaire`, before it is `compliant`, in
   * milliseconds each. Default 60 000.
   */
  reviewMs?: number;
}

/** The same, with its defaults. */
export type DomainTiming = Readonly<Required<EmulatorDomainTiming>>;
