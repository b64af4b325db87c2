/** Reads values of options. A value that is wrong is an {@link InvalidValue}, which names the option. */
import { InvalidValue } from './command.ts';

/** Text, as it is. */
export const text = (given: string): string => given;

/** Text that is valid. `what` follows "must be". */
export const textThat =
  (option: string, isValid: (given: string) => boolean, what: string) =>
  (given: string): string => {
    if (!isValid(given)) throw new InvalidValue(`${option} must be ${what}, not "${given}"`);
    return given;
  };

/** The same for a secret, which no message repeats. */
export const secretThat =
  (option: string, isValid: (given: string) => boolean, what: string) =>
  (given: string): string => {
    if (!isValid(given)) throw new InvalidValue(`${option} must be ${what}`);
    return given;
  };

/** One of some texts. */
export const oneOf =
  <const T extends string>(option: string, values: readonly T[]) =>
  (given: string): T => {
    const value = values.find((one) => one === given);
    if (value === undefined)
      throw new InvalidValue(`${option} must be one of ${values.join(', ')}, not "${given}"`);
    return value;
  };

/** A port to listen on. */
export function port(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new InvalidValue(`--port must be a number from 0 to 65535, not "${given}"`);
}

/** The address of a receiver of webhooks; without a protocol, it is `http:`. */
export const addressOf =
  (option: string) =>
  (given: string): string => {
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new InvalidValue(`${option} must be an address such as localhost:3000/hooks, not "${given}"`);
    return new URL(url).href;
  };
