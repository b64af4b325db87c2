/** Reads values of options. A wrong value is an {@link InvalidValue} that names the option. */
import { InvalidValue } from './command.ts';

/** Any text. */
export const text = (input: string): string => input;

/** Valid text. The error says "must be" before `rule`. */
export const textThat =
  (option: string, isValid: (input: string) => boolean, rule: string) =>
  (input: string): string => {
    if (!isValid(input)) throw new InvalidValue(`${option} must be ${rule}, not "${input}"`);
    return input;
  };

/** A valid secret. The error does not repeat it. */
export const secretThat =
  (option: string, isValid: (input: string) => boolean, rule: string) =>
  (input: string): string => {
    if (!isValid(input)) throw new InvalidValue(`${option} must be ${rule}`);
    return input;
  };

/** One of the values. */
export const oneOf =
  <const T extends string>(option: string, values: readonly T[]) =>
  (input: string): T => {
    const value = values.find((one) => one === input);
    if (value === undefined)
      throw new InvalidValue(`${option} must be one of ${values.join(', ')}, not "${input}"`);
    return value;
  };

/** A whole number, 1 or more. */
export const positive =
  (option: string) =>
  (input: string): number => {
    const value = Number(input);
    if (/^\d+$/.test(input) && value > 0 && Number.isSafeInteger(value)) return value;
    throw new InvalidValue(`${option} must be a whole number, 1 or more, not "${input}"`);
  };

/** A port to listen on. */
export function port(input: string): number {
  if (/^\d{1,5}$/.test(input) && Number(input) <= 65_535) return Number(input);
  throw new InvalidValue(`--port must be a number from 0 to 65535, not "${input}"`);
}

/** The address of a receiver of webhooks; without a protocol, it is `http:`. */
export const addressOf =
  (option: string) =>
  (input: string): string => {
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(input) ? input : `http://${input}`;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new InvalidValue(`${option} must be an address such as localhost:3000/hooks, not "${input}"`);
    return new URL(url).href;
  };
