import { type EmailPlatform, ApiPromise } from 'email-platform';

const response = { status: 200, headers: new Headers(), requestId: undefined, rateLimit: {} };

/** A result with a plain 200 response. */
export const answered = <T>(data: T): EmailPlatform.WithResponse<T> => ({ data, response });

/** The promise that a method returns for this outcome. */
export function apiPromise<T>(outcome: Promise<EmailPlatform.WithResponse<T>>): ApiPromise<T> {
  const promise = new ApiPromise<T>((resolve, reject) => {
    outcome.then((done) => {
      promise.note(() => done.response);
      resolve(done.data);
    }, reject);
  });
  return promise;
}
