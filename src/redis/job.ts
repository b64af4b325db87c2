/** A permit of a shared pool, as long as it lives in Redis. */
export interface Lease {
  /** When Redis would end it without us, on the clock of `now`; long ago when Redis has already. */
  readonly expiresAt: number;
  end(): void;
}

/** A lease with the job behind it, that runs in Bottleneck's Redis datastore until it is over. */
export class Job implements Lease {
  /** What Redis calls it, once it runs there. */
  name = '';
  expiresAt = -Infinity;
  /** Whether whoever asked for it has got it. */
  hasBegun = false;
  readonly isOver: Promise<void>;
  readonly end: () => void;
  readonly finish: () => void;

  /** `end` is called when nobody needs it any more. */
  constructor(end: (job: Job) => void) {
    let finish!: () => void;
    this.isOver = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.finish = finish;
    this.end = () => end(this);
  }
}
